import type * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { ForgeProtocol } from 'sourcehut/port/forgeProtocol.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import { scopes as knownScopes, type Scope } from 'sourcehut/port/scope.ts';
import { holds } from 'sourcehut/identity/scopeUnion.ts';
import type { Session } from './session.ts';
import type { SessionStore } from './sessionStore.ts';

/**
 * The provider `forge` of the editor's Accounts menu. Shows our sessions to the editor, and signs in and out for it. `signIn`: runs the interactive sign-in and stores the
 * session. Rejects with a displayable error.
 */
export function authenticationProvider(
	sessions: SessionStore,
	forge: (instanceId: string) => ForgeInstance | undefined,
	protocol: (instance: ForgeInstance) => Promise<ForgeProtocol>,
	signIn: (wanted: readonly Scope[]) => Promise<Session>,
	signOut: (sessionId: string) => Promise<void>,
): vscode.AuthenticationProvider & Disposable {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>());
	const show = ({ id, instanceId, token, accountName, scopes }: Session): vscode.AuthenticationSession => ({
		id,
		// The editor passes it to another extension only after the user's consent.
		accessToken: token.reveal(),
		account: { id, label: `${accountName} (${forge(instanceId)?.name ?? instanceId})` },
		scopes: scopes === 'all' ? ['*'] : scopes,
	});
	owned.add(
		sessions.onDidChange((change) =>
			changed.fire({
				added: change.added.map(show),
				removed: change.removed.map(show),
				changed: change.changed.map(show),
			}),
		),
	);

	async function mayDo({ scopes, instanceId }: Session, wanted: readonly string[]): Promise<boolean> {
		const instance = forge(instanceId);
		const mayAnyway = scopes === 'all' || wanted.length === 0;
		if (mayAnyway || instance === undefined) {
			return mayAnyway;
		}
		const spoken = await protocol(instance);
		return wanted.every((text) => {
			const scope = knownScopes.find((known) => known === text);
			return scope !== undefined && holds(scopes, scope, spoken);
		});
	}

	return {
		onDidChangeSessions: changed.event,
		async getSessions(wanted, { account }) {
			const all = await sessions.all();
			const asked = all.filter((session) => account === undefined || session.id === account.id);
			const may = await Promise.all(asked.map((session) => mayDo(session, wanted ?? [])));
			return asked.filter((_, at) => may[at]).map(show);
		},
		async createSession(wanted) {
			return show(await signIn(knownScopes.filter((scope) => wanted.includes(scope))));
		},
		removeSession: signOut,
		dispose: () => owned.dispose(),
	};
}
