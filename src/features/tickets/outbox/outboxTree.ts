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
import { queuedMails, type QueuedMails } from '../../../store/outbox/mailOutbox.ts';
import { queuedItem as queuedWrite, type QueuedItem } from '../../../store/outbox/outbox.ts';
import type { OutboxFile } from '../../../store/outbox/sharedQueue.ts';
import { keptIn } from '../../../store/shared/keptText.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import type { QueuedSubject } from '../subjects/subjects.ts';
import { ticketScheme } from '../tree/ticketRows.ts';
import { isStopped, queuedState, queuedTitle } from '../subjects/queuedWords.ts';

function damagedOf({ outbox, mailOutbox }: Connection): readonly OutboxFile[] {
	return [...outbox.damaged(), ...mailOutbox.damaged()];
}

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

/** A file of the outbox whose item nobody sends. */
export type OutboxFileSubject = { readonly kind: 'outboxFile'; readonly path: string };

/**
 * Rows of the outbox: changes, then mails, both in sending order, then files whose items nobody sends. Makes no requests.
 * `left`: of accounts that are not signed in.
 */
export function outboxTree(
	{ connections, clock }: TicketsContext,
	mailRows: MailsInOutbox['rows'],
	left: () => readonly OutboxFile[],
) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<TreeNode | undefined>());
	const accounts = accountRows(connections, async (connection) => [
		...connection.outbox.shown().map((item) => itemRow(connection, item)),
		...mailRows(connection, accounts.above(connection)),
		...damagedOf(connection).map((file) => fileRow(file, accounts.above(connection))),
	]);

	/** An item of another account has its title. A damaged one has no readable content. */
	function fileRow({ path, text }: OutboxFile, parent: TreeNode | undefined): TreeNode {
		const write = keptIn(text, queuedWrite, undefined)?.write;
		const mail = keptIn(text, queuedMails, undefined)?.mails[0];
		const known = write ? queuedTitle(write) : mail && visibleLine(mail.subject);
		const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
		const state =
			known === undefined
				? vscode.l10n.t('damaged, or of a newer version')
				: vscode.l10n.t('not sent: its account is not signed in');
		const item = new vscode.TreeItem(withoutPictures(known ?? visibleLine(name)));
		item.description = state;
		item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
		item.contextValue = rowContext('outboxFile', {});
		const subject: OutboxFileSubject = { kind: 'outboxFile', path };
		return { id: path, item, parent, subject, tooltip: async () => untrustedMarkdown([escapeMarkdown(path)]) };
	}

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

	/** All files of rows. */
	function files(): readonly OutboxFile[] {
		return [...connections.all().flatMap(damagedOf), ...left()];
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
		const isActive =
			connections.all().some(({ outbox, mailOutbox }) => outbox.shown().length + mailOutbox.shown().length > 0) ||
			files().length > 0;
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
		roots: async (signal) => [...(await accounts.roots(signal)), ...left().map((file) => fileRow(file, undefined))],
		forget: () => undefined,
		onDidChange: changed.event,
	};
	return { tree, files, draw, dispose: () => owned.dispose() };
}
