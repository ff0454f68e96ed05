import * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import { rowContext } from '../../../commands/rows.ts';
import { withoutPictures } from '../../../editor/ask/notify.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { accountRows } from '../../../editor/trees/accountRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { TreeSource } from '../../../editor/trees/treeSource.ts';
import { shortAge, spokenAge } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { watchConnections, type Connection } from '../../../store/connection.ts';
import type { QueuedMails } from '../../../store/outbox/mailOutbox.ts';
import type { QueuedItem } from '../../../store/outbox/outbox.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import type { QueuedSubject } from '../subjects/subjects.ts';
import { ticketScheme } from '../tree/ticketRows.ts';
import { isStopped, queuedState, queuedTitle } from '../subjects/queuedWords.ts';

/** Queued mails, for the outbox. */
export interface MailsInOutbox {
	readonly rows: (connection: Connection, parent: TreeNode | undefined) => readonly TreeNode[];
	/** The queued mails of a row; `undefined` for any other subject, and after they have left. */
	readonly target: (subject: unknown) => { readonly connection: Connection; readonly item: QueuedMails } | undefined;
	/** Opens the drafts. */
	readonly open: (connection: Connection, item: QueuedMails) => Promise<void>;
	/** Sends with all questions. */
	readonly send: (connection: Connection, item: QueuedMails) => Promise<void>;
	readonly sendNow: (connection: Connection, signal: AbortSignal) => Promise<void>;
}

/** Rows of the outbox: changes, then mails, both in sending order. Makes no requests. */
export function outboxTree({ connections, clock }: TicketsContext, mailRows: MailsInOutbox['rows']) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<TreeNode | undefined>());
	const accounts = accountRows(connections, async (connection) => [
		...connection.outbox.shown().map((item) => itemRow(connection, item)),
		...mailRows(connection, accounts.above(connection)),
	]);

	function itemRow(connection: Connection, queuedItem: QueuedItem): TreeNode {
		const { id, write, queuedMs } = queuedItem;
		const subject: QueuedSubject = { kind: 'queued', connectionKey: connection.key, id };
		const title = queuedTitle(write);
		const state = queuedState(queuedItem);
		const place = visibleLine(write.kind === 'ticket' ? ticketRefText(write.ref) : refText(write.tracker));
		const hasText = write.kind === 'newTicket' || write.wish.comment !== undefined;
		const item = new vscode.TreeItem(withoutPictures(title));
		item.description = [place, state, shortAge(queuedMs, clock.nowMs(), vscode.env.language)].join(' · ');
		item.iconPath = isStopped(queuedItem)
			? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
			: new vscode.ThemeIcon('clock');
		item.contextValue = rowContext(isStopped(queuedItem) ? 'outbox.stopped' : 'outbox.waiting', { text: hasText });
		item.accessibilityInformation = {
			label: [title, place, state, spokenAge(queuedMs, clock.nowMs(), vscode.env.language)].join(', '),
		};
		item.command = { command: 'forge.outbox.open', title: vscode.l10n.t('Open'), arguments: [subject] };
		const text = write.kind === 'newTicket' ? write.ticket.description : (write.wish.comment ?? '');
		return {
			id: `${connection.key}/${id}`,
			item,
			agedMs: queuedMs,
			parent: accounts.above(connection),
			subject,
			tooltip: () =>
				Promise.resolve(
					untrustedMarkdown(
						[`**${escapeMarkdown(title)}**`, escapeMarkdown(state), escapeMarkdown(text)].filter(Boolean),
					),
				),
		};
	}

	const marks = owned.add(new Emitter<undefined>());
	owned.add(
		vscode.window.registerFileDecorationProvider({
			onDidChangeFileDecorations: marks.event,
			provideFileDecoration({ scheme, authority, path }) {
				const waiting = scheme === ticketScheme ? connections.byKey(authority)?.outbox.shown() : undefined;
				return waiting?.some(({ write }) => write.kind === 'ticket' && `/${ticketRefText(write.ref)}` === path)
					? { badge: '↑', tooltip: vscode.l10n.t('A change waits in the outbox.') }
					: undefined;
			},
		}),
	);

	function draw(): void {
		changed.fire(undefined);
		marks.fire(undefined);
		const isActive = connections
			.all()
			.some(({ outbox, mailOutbox }) => outbox.shown().length + mailOutbox.shown().length > 0);
		void vscode.commands.executeCommand('setContext', 'forge.outbox.active', isActive);
	}

	owned.add(
		watchConnections(
			connections,
			({ outbox, mailOutbox }) => [outbox.onDidChange(draw), mailOutbox.onDidChange(draw)],
			draw,
		),
	);
	draw();
	const tree: TreeSource = {
		roots: (signal) => accounts.roots(signal),
		forget: () => undefined,
		onDidChange: changed.event,
	};
	return { tree, dispose: () => owned.dispose() };
}
