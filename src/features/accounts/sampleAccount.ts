import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { isOfSample, sampleName } from '../../editor/accounts/sampleSource.ts';
import type { Session } from '../../editor/accounts/session.ts';
import { confirmForGoodOrCancel } from '../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../editor/ask/notify.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import { SignInError } from 'sourcehut/identity/signInError.ts';
import type { AccountsContext } from './accountsContext.ts';
import { tellingWhy, type SignIn, type WantedAccount } from './signIn.ts';
import type { Turns } from './turns.ts';

/** Colleagues in the sample act within seconds of its start. The usual poll would come minutes later. */
const looksAtNewsMs = [10_000, 25_000, 95_000] as const;

/** Enters and ends the sample forge. Its sessions stay in memory, because the next window gets their tokens from it. */
export function sampleAccount(
	{ sample, sessions, clock }: AccountsContext,
	flows: SignIn,
	asking: Turns,
	signOut: (sessionId: string, signal: AbortSignal) => Promise<void>,
) {
	const owned = new Disposables();
	const all = (): readonly Session[] => sessions.current().filter(({ id }) => isOfSample(id));

	owned.add(
		sample.onDidChange(() => {
			const running = sample.running();
			if (running === undefined) {
				void Promise.all(all().map(({ id }) => sessions.remove(id)));
			} else if (running.setAside !== undefined) {
				void notify(
					'warning',
					vscode.l10n.t(
						'The data of the sample forge was unreadable, so it started again from the beginning. The old files are in {0}.',
						running.setAside,
					),
				);
			}
		}),
	);

	/** Shows the command that ends it. */
	const setTried = (isTried: boolean): Thenable<unknown> =>
		vscode.commands.executeCommand('setContext', 'forge.sample.tried', isTried);

	return {
		/** Signs in to the sample forge, and starts it before. */
		async enter(user: string, signal: AbortSignal): Promise<Session> {
			void setTried(true);
			const { instance, tokens } = await tellingWhy(sampleName, () =>
				withProgress(vscode.l10n.t('Starting the sample forge…'), signal, (whileStarting) =>
					sample.start(whileStarting),
				),
			);
			const token = tokens[user];
			if (token === undefined) {
				throw new SignInError({ kind: 'tokenRefused' });
			}
			const wanted: WantedAccount = { instance, accountName: `~${user}` };
			const session = await tellingWhy(instance.name, () => flows.withKnownToken(wanted, token, signal));
			await sample.keepUser(user);
			return session;
		},
		/** Reads the Inbox several times, soon. */
		lookAtNews() {
			for (const ms of looksAtNewsMs) {
				owned.add(
					clock.after(ms, () => {
						// A refresh reads all accounts past their budget, so a real account has none for the sample's sake.
						if (sample.running() !== undefined && sessions.current().every(({ id }) => isOfSample(id))) {
							void vscode.commands.executeCommand('forge.inbox.refresh');
						}
					}),
				);
			}
		},
		/** Asks first: its world is gone afterwards. */
		async end(signal: AbortSignal) {
			await confirmForGoodOrCancel(
				vscode.l10n.t('End the sample forge?'),
				vscode.l10n.t('This deletes its tickets, lists and repositories, and your work in them. Clones stay.'),
				vscode.l10n.t('End'),
			);
			await asking.takeOver(async (inTurn) => {
				for (const { id } of all()) {
					await signOut(id, inTurn);
				}
				await sample.end(inTurn);
			}, signal);
			void setTried(false);
			tellBriefly(vscode.l10n.t('The sample forge has ended.'));
		},
		dispose: () => owned.dispose(),
	};
}
