import * as vscode from 'vscode';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { notify } from '../../editor/ask/notify.ts';
import { watchConnections, type Connection } from '../../store/connection.ts';
import type { InboxItem } from '../../store/inbox/inboxBook.ts';
import { thingKey } from '../../store/inbox/inboxEntry.ts';
import { eventSentence } from './eventSentence.ts';
import type { InboxContext } from './inboxContext.ts';
import type { InboxSubject } from './inboxTargets.ts';
import { thingTitle } from './inboxWords.ts';

/** Entries arrive in bursts; a notice waits for a pause of this length. */
const quietMs = 2000;
/** An endless burst still gets a notice. */
const longestBurstMs = 20_000;

interface Arrived {
	readonly connection: Connection;
	readonly item: InboxItem;
}

/**
 * Shows notices for new entries with the reasons from the settings. The first poll after the start shows none for older
 * entries. Only the window that polled an entry gets its arrival event, so each notice appears once.
 */
export function inboxNotices({ connections, problems, clock, words, settings }: InboxContext): Disposable {
	const owned = new Disposables();
	const openedAtMs = clock.nowMs();
	let waiting: readonly Arrived[] = [];
	let timer: Disposable | undefined;
	let latestMs = 0;

	function arrived(connection: Connection, items: readonly InboxItem[]): void {
		const reasons = settings.notifyOf();
		const told = items.filter(({ entry }) => entry.atMs >= openedAtMs && reasons.includes(entry.reason));
		if (told.length === 0) {
			return;
		}
		const nowMs = clock.nowMs();
		latestMs = waiting.length === 0 ? nowMs + longestBurstMs : latestMs;
		waiting = [...waiting, ...told.map((item) => ({ connection, item }))];
		timer?.dispose();
		timer = clock.after(Math.max(0, Math.min(quietMs, latestMs - nowMs)), tell);
	}

	function tell(): void {
		// Somebody may have read it meanwhile, or have signed out.
		const burst = waiting.filter(
			({ connection, item }) =>
				connections.byKey(connection.key) === connection &&
				connection.inbox.items().some(({ entry, state }) => entry.id === item.entry.id && state === 'unread'),
		);
		waiting = [];
		timer = undefined;
		const [first, ...others] = burst;
		if (first) {
			// Not awaited: a notice may stay open for hours.
			show(first, others.length + 1).catch(problems.log);
		}
	}

	async function show({ connection, item: { entry } }: Arrived, count: number): Promise<void> {
		if (count > 1) {
			const all = vscode.l10n.t('Show');
			if ((await notify('information', vscode.l10n.t('{0} new entries in your inbox', count), all)) === all) {
				await vscode.commands.executeCommand('forge.inbox.focus');
			}
			return;
		}
		const open = vscode.l10n.t('Open');
		const mute = vscode.l10n.t('Mute');
		const sentence = eventSentence(entry, words, connection.me);
		const chosen = await notify(
			'information',
			vscode.l10n.t('{0}: {1}', thingTitle(entry.thing), sentence),
			open,
			mute,
		);
		const connectionKey = connection.key;
		if (chosen === open) {
			const subject: InboxSubject = { kind: 'inboxEntry', connectionKey, id: entry.id };
			await vscode.commands.executeCommand('forge.inbox.open', subject);
		} else if (chosen === mute) {
			const subject: InboxSubject = { kind: 'inboxThing', connectionKey, thing: thingKey(entry.thing) };
			await vscode.commands.executeCommand('forge.inbox.mute', subject);
		}
	}

	owned.add(
		watchConnections(
			connections,
			(connection) => [
				connection.inbox.onDidChange((change) => change.isPerhapsOld || arrived(connection, change.arrived)),
			],
			() => undefined,
		),
	);
	return {
		dispose() {
			timer?.dispose();
			owned.dispose();
		},
	};
}
