import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Check, CheckContext, CheckGroup } from './checkContext.ts';
import { accountChecks } from './accountChecks.ts';
import { computerChecks } from './computerChecks.ts';
import { withoutSecrets } from '@forge-desk/base/withoutSecrets.ts';
import { action, warning, type Line } from './line.ts';
import { reachedBy } from '../../editor/accounts/session.ts';
import { isSourceHut } from '../../editor/accounts/forgeEntry.ts';

/** A check with its lines; `undefined` while it runs. */
export interface ShownCheck {
	readonly about: string;
	lines: readonly Line[] | undefined;
}

/** Checks with a common heading and their lines so far. */
export interface ShownGroup {
	readonly title: string;
	readonly checks: readonly ShownCheck[];
}

export type CheckRun = ReturnType<typeof checkRun>;

/** Runs all checks at once. `changed`: some lines arrived. Ends with `signal`. */
export function checkRun(context: CheckContext, changed: () => void, signal: AbortSignal) {
	let groups: readonly ShownGroup[] = [];
	let isRunning = true;

	async function run(): Promise<void> {
		const made = await groupsOf(context);
		const shown = made.map(({ title, checks }) => ({
			title,
			checks: checks.map(({ about }): ShownCheck => ({ about, lines: undefined })),
		}));
		groups = shown;
		changed();
		await Promise.all(
			made.flatMap(({ checks }, at) =>
				checks.map(async (check, inGroup) => {
					const place = shown[at]?.checks[inGroup];
					const lines = await linesOf(check, context, signal);
					if (place) {
						place.lines = lines.map((line) => ({ ...line, text: shownText(context, line.text) }));
						changed();
					}
				}),
			),
		);
	}

	const ended = run()
		.catch(context.problems.log)
		.then(() => {
			isRunning = false;
			changed();
		});
	return {
		groups: () => groups,
		isRunning: () => isRunning,
		/** Never rejects. */
		ended,
	};
}

/** A check that does not end well is never fine. */
async function linesOf(check: Check, { problems }: CheckContext, signal: AbortSignal): Promise<readonly Line[]> {
	const stopped = Promise.withResolvers<never>();
	const stop = (): void => stopped.reject(signal.reason);
	signal.addEventListener('abort', stop, { once: true });
	try {
		signal.throwIfAborted();
		// Some of the editor's promises know no signal.
		return await Promise.race([check.run(signal), stopped.promise]);
	} catch (error) {
		if (isAbort(error)) {
			return [warning(vscode.l10n.t('{0}: not checked, because you cancelled.', check.about), undefined)];
		}
		problems.log(error);
		return [action(vscode.l10n.t('{0}: the check failed. See the log for details.', check.about), undefined)];
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/** Servers may repeat a secret, so no line is shown unfiltered. */
function shownText({ sessions, net, home }: CheckContext, text: string): string {
	return withoutSecrets(text, [...sessions.secrets(), ...net.secrets()], home);
}

/** All accounts, then the forges of the settings without one, then this computer. */
async function groupsOf(context: CheckContext): Promise<readonly CheckGroup[]> {
	const { sessions, forges, ready } = context;
	await ready();
	const signedIn = await sessions.all();
	const accounts = signedIn.map((session): CheckGroup => {
		const instance = forges.byId(session.instanceId);
		return instance === undefined
			? forgetful(session.accountName)
			: accountChecks(context, session.hub === undefined ? instance : reachedBy(session, instance), session);
	});
	const others = forges
		.all()
		.filter(
			(instance) =>
				!signedIn.some(({ instanceId }) => instanceId === instance.id) &&
				// The built-in forge means nothing to users of others.
				(signedIn.length === 0 || !isSourceHut(instance)),
		)
		.map((instance) => accountChecks(context, instance, undefined));
	return [...accounts, ...(await unreadable(context)), ...others, computerChecks(context)];
}

/** An account whose forge left the settings. */
function forgetful(accountName: string): CheckGroup {
	const line = action(
		vscode.l10n.t('The settings no longer name the forge of this account. Add it again, or sign out.'),
		{ label: vscode.l10n.t('Open Settings'), command: 'workbench.action.openSettings', argument: 'forge.forges' },
	);
	return { title: accountName, checks: [{ about: vscode.l10n.t('Token'), run: async () => [line] }] };
}

/** Accounts in the secret storage that this window cannot read. */
async function unreadable({ sessions, problems }: CheckContext): Promise<readonly CheckGroup[]> {
	const missing = await sessions
		.allIds()
		.then((ids) => ids.filter((id) => sessions.byId(id) === undefined))
		.catch((error: unknown) => {
			problems.log(error);
			return [vscode.l10n.t('Accounts')];
		});
	return missing.map((title) => ({
		title,
		checks: [
			{
				about: vscode.l10n.t('Token'),
				run: async () => [
					action(
						vscode.l10n.t('The saved token could not be read. Unlock the keyring of your system, or sign in again.'),
						{ label: vscode.l10n.t('Sign In…'), command: 'forge.accounts.signIn' },
					),
				],
			},
		],
	}));
}
