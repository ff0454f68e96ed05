import * as vscode from 'vscode';
import { cancelled } from '../../editor/ask/ask.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { Scope } from 'sourcehut/port/scope.ts';
import { holds, scopeUnion } from 'sourcehut/identity/scopeUnion.ts';
import { isOwnToken, tellingWhy, type SignIn } from './signIn.ts';
import { scopeQuestion } from './signInTexts.ts';
import type { AccountsContext } from './accountsContext.ts';
import type { Turns } from './turns.ts';
import { confirm } from '../../editor/ask/notify.ts';

/**
 * Ensures that an account's token has a scope; asks the user if it is missing. Throws an abort if the user declines,
 * `missingScope` if the forge doesn't grant it.
 */
export type EnsureScope = (connectionKey: string, scope: Scope, signal: AbortSignal) => Promise<void>;

/** Asks once per need; a second call that waited meanwhile finds the scope held. */
export function scopeRequest({ sessions, forges, net }: AccountsContext, signIn: SignIn, turns: Turns): EnsureScope {
	const isHeld = async (key: string, scope: Scope): Promise<boolean> => {
		const session = sessions.byId(key);
		const instance = session && forges.byId(session.instanceId);
		if (session === undefined || instance === undefined) {
			throw new ForgeError({ kind: 'notSignedIn' });
		}
		return holds(session.scopes, scope, await net.protocol(instance));
	};

	async function grant(key: string, scope: Scope, signal: AbortSignal): Promise<void> {
		const session = sessions.byId(key);
		const instance = session && forges.byId(session.instanceId);
		if (session === undefined || instance === undefined || (await isHeld(key, scope))) {
			return;
		}
		const wanted = { instance, accountName: session.accountName };
		const scopes = scopeUnion(session.scopes, [scope]);
		const before = session.token;
		if (isOwnToken(session, await net.protocol(instance))) {
			await agree(scope, instance, {
				detail: vscode.l10n.t(
					'A page opens on which you create a new token. This permission and those of your token that Forge Desk uses are filled in there.',
				),
				action: vscode.l10n.t('Create a Token'),
			});
			await tellingWhy(instance.name, () => signIn.withToken(wanted, { scopes, before, opensPage: true }, signal));
		} else {
			await agree(scope, instance, {
				detail: vscode.l10n.t('Your browser will open to confirm. Existing permissions are kept.'),
				action: vscode.l10n.t('Grant in the Browser'),
			});
			await tellingWhy(instance.name, () => signIn.throughBrowser(wanted, scopes, signal));
		}
		if (!(await isHeld(key, scope))) {
			const asWritten = (await net.protocol(instance)).grantsOf(scope).join(', ');
			throw new ForgeError({ kind: 'missingScope', scope, asWritten });
		}
	}

	return async (key, scope, signal) => {
		if (!(await isHeld(key, scope))) {
			await turns.wait((inTurn) => grant(key, scope, inTurn), signal);
		}
	};
}

/** Throws an abort when the answer is no. */
async function agree(
	scope: Scope,
	{ name }: ForgeInstance,
	{ detail, action }: { readonly detail: string; readonly action: string },
): Promise<void> {
	if (!(await confirm(scopeQuestion(scope, name), detail, action))) {
		throw cancelled();
	}
}
