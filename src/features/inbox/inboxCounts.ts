import * as vscode from 'vscode';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { untrustedMarkdown } from '../../editor/documents/untrustedMarkdown.ts';
import { countText } from '../../editor/trees/markTexts.ts';
import { unreadMarks } from '../../editor/trees/unreadMarks.ts';
import { escapeMarkdown } from '../../engine/text/escapeMarkdown.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import { watchConnections, type Connections } from '../../store/connection.ts';
import { thingKey } from '../../store/inbox/inboxEntry.ts';
import type { InboxAge } from './inboxAge.ts';
import type { InboxContext } from './inboxContext.ts';
import { inboxMarkKey, inboxScheme } from './inboxTree.ts';

/** Maximum age of the cost figure. */
const againMs = 60_000;

/**
 * Dots beside unread rows, the unread count on the icon of the views, and the status bar. The status bar item also
 * shows the polling cost, so it stays visible with nothing unread. No other view has a badge: the editor adds up badges
 * on the icon and would count an entry twice.
 */
export function inboxCounts({ connections, view, settings, clock }: InboxContext, age: InboxAge): Disposable {
	const owned = new Disposables();
	const dots = owned.add(unreadMarks(inboxScheme));
	let item: vscode.StatusBarItem | undefined;
	let shown = '';
	let timer: Disposable | undefined;

	function show(): void {
		const count = connections.all().reduce((sum, { inbox }) => sum + inbox.unreadCount(), 0);
		dots.show(marksOf(connections));
		const number = countText(count, true);
		if (view.badge?.value !== (count || undefined)) {
			view.badge = count === 0 ? undefined : { value: count, tooltip: unreadText(count, number) };
		}
		if (connections.all().length === 0 || !settings.hasStatusBar()) {
			item?.hide();
			return;
		}
		item ??= owned.add(vscode.window.createStatusBarItem('forge.inbox', vscode.StatusBarAlignment.Left, 80));
		const unread = count === 0 ? vscode.l10n.t('No unread entries in your inbox') : unreadText(count, number);
		item.name = vscode.l10n.t('Inbox');
		item.command = 'forge.inbox.focus';
		item.text = count === 0 ? '$(inbox)' : `$(inbox) ${number}`;
		const lines = [unread, ...age.details()];
		const label = lines.join('\n');
		if (label !== shown) {
			shown = label;
			// Server text becomes visible text in an untrusted string.
			item.tooltip = untrustedMarkdown(lines.map(escapeMarkdown));
			// Screen readers don't read tooltips of the status bar.
			item.accessibilityInformation = { label };
		}
		item.show();
	}

	/** No event arrives when another window spends requests, so refresh by timer. */
	function showAgain(): void {
		timer = clock.after(againMs, () => {
			show();
			showAgain();
		});
	}

	owned.add(
		watchConnections(
			connections,
			({ inbox, inboxReadings }) => [inbox.onDidChange(show), inboxReadings.onDidRead(show)],
			show,
		),
	);
	owned.add(settings.onDidChange(show));
	show();
	showAgain();
	return {
		dispose() {
			timer?.dispose();
			view.badge = undefined;
			owned.dispose();
		},
	};
}

function unreadText(count: number, text: string): string {
	return count === 1
		? vscode.l10n.t('1 unread entry in your inbox')
		: vscode.l10n.t('{0} unread entries in your inbox', text);
}

/** By the rows' addresses: each entry, and the thing that it belongs to. */
function marksOf(connections: Connections): ReadonlyMap<string, Mark> {
	const marks = new Map<string, Mark>();
	for (const { key, inbox } of connections.all()) {
		for (const { entry, state } of inbox.items()) {
			if (state === 'unread') {
				marks.set(inboxMarkKey(key, 'entry', entry.id), 'new');
				marks.set(inboxMarkKey(key, 'thing', thingKey(entry.thing)), 'new');
			}
		}
	}
	return marks;
}
