import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { countText, newText } from '../../../editor/trees/countTexts.ts';
import { countsText, moreRow } from '../../../editor/trees/pagingRows.ts';
import type { ShowMoreSubject } from '../../../editor/commands/subjects.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { refOfTicket, ticketRefText, type Ticket } from '../../../forge/ticket.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import { runResting, type Steps } from '../../../base/timeSlice.ts';
import type { Connection } from '../../../state/connection.ts';
import type { IndexState } from '../../../state/tickets/index/ticketIndexer.ts';
import { ticketRow } from './ticketRows.ts';
import type { RowAges } from './rowAges.ts';
import type { SeenTracker, Shelf, ShelfWish, ShownTicket } from './shelf.ts';
import { firstWindow, mostRows, rowsAtOnce, type RowWindow, type TreeContext } from './treeContext.ts';
import { isQueueId } from './queues.ts';

/** Row of one ticket below a tracker, a group or a queue. */
export function shownRow(
	parent: TreeNode,
	{ connection, ref: tracker }: SeenTracker,
	{ ticket, ages }: { readonly ticket: Ticket; readonly ages: RowAges },
): TreeNode {
	const ref = refOfTicket(ticket);
	const isInQueue = isQueueId(parent.id);
	return ticketRow({
		connection,
		// As the tracker is called in the view: servers do not care for case, rows do.
		ref: { tracker, id: ref.id },
		ticket,
		parent,
		id: isInQueue ? `${parent.id}/${connection.key}/${ticketRefText(ref)}` : `${parent.id}#${ref.id}`,
		namesTracker: isInQueue,
		mark: connection.readMarks.mark(ticket),
		ages,
	});
}

/** Rows of tickets, as many as fit, and the way to the rest of them. */
export async function ticketRows(
	context: TreeContext,
	parent: TreeNode,
	tickets: readonly ShownTicket[],
	signal: AbortSignal,
): Promise<readonly TreeNode[]> {
	const { windows, changed } = context;
	const known = windows.get(parent.id);
	const { from, to } = known && known.from < tickets.length ? known : firstWindow;
	const rows = await runResting(rowSteps(context, parent, tickets.slice(from, to)), context.resting, signal);
	const counts = countsText(rows.length, { kind: 'more', total: tickets.length });
	const more = (end: string, next: RowWindow): TreeNode =>
		moreRow({ id: `${parent.id}/${end}`, parent, counts }, async () => {
			windows.set(parent.id, next);
			changed.fire(parent);
		});
	const before = Math.max(0, from - rowsAtOnce);
	const after = to + rowsAtOnce;
	return [
		...(from > 0 ? [more('earlier', { from: before, to: Math.min(to, before + mostRows) })] : []),
		...rows,
		...(tickets.length > to ? [more('more', { from: Math.max(from, after - mostRows), to: after })] : []),
	];
}

/** How many rows are made between two chances to rest. */
const stride = 16;

function* rowSteps(
	context: TreeContext,
	parent: TreeNode,
	tickets: readonly ShownTicket[],
): Steps<readonly TreeNode[]> {
	const { ages } = context;
	const rows: TreeNode[] = [];
	for (const { entry, from } of tickets) {
		rows.push(shownRow(parent, from, { ticket: entry.ticket, ages }));
		if (rows.length % stride === 0) {
			yield;
		}
	}
	return rows;
}

/** Below everything that is known of a tracker: what is not known, and the way to it. */
export function restRows(
	parent: TreeNode,
	{ connection, ref }: SeenTracker,
	{ filter, grouping }: ShelfWish,
	{ groups }: Shelf,
): readonly TreeNode[] {
	const state = connection.index.state(ref);
	const isPlain = !filter && grouping === 'none' && !groups.some(({ isFolded }) => isFolded);
	const id = `${parent.id}/rest`;
	switch (state.kind) {
		case 'unread':
		case 'whole':
			return [];
		case 'unstated':
			return state.known === 0
				? []
				: [moreRow({ id, parent, counts: countsText(state.known, { kind: 'unstated' }) }, undefined)];
		case 'partial': {
			const counts = isPlain ? countsText(state.known, { kind: 'more', total: state.total }) : lookedThrough(state);
			return [moreRow({ id, parent, counts }, (signal) => readOn(connection, ref, signal))];
		}
	}
}

function lookedThrough({ known, total }: Extract<IndexState, { kind: 'partial' }>): string {
	return total === undefined
		? vscode.l10n.t('Searched {0}, and there are more', countText(known, true))
		: vscode.l10n.t('Searched {0} of {1}', countText(known, true), countText(Math.max(known, total), true));
}

/** The index may know more than the listing of this window, so one page may bring nothing new. */
async function readOn({ tickets, index }: Connection, ref: TrackerRef, signal: AbortSignal): Promise<void> {
	const known = (): number => {
		const state = index.state(ref);
		return state.kind === 'unread' ? 0 : state.known;
	};
	const before = known();
	for (;;) {
		const { completeness } = await tickets.moreTickets(ref, signal);
		if (completeness.kind !== 'more' || known() > before) {
			return;
		}
	}
}

/** Below a list that stands still: how many tickets newly fit, and the way to them. */
export function waitingRows(parent: TreeNode, waiting: number, run: () => Promise<void>): readonly TreeNode[] {
	if (waiting === 0) {
		return [];
	}
	const item = new vscode.TreeItem(newText(waiting), vscode.TreeItemCollapsibleState.None);
	const subject: ShowMoreSubject = { kind: 'showMore', run };
	item.contextValue = rowContext('more', {});
	item.iconPath = new vscode.ThemeIcon('arrow-down');
	item.accessibilityInformation = { label: vscode.l10n.t('{0} new: show them in this list', countText(waiting, true)) };
	item.command = { command: 'forge.view.showMore', title: vscode.l10n.t('Show New Tickets'), arguments: [subject] };
	return [{ id: `${parent.id}/new`, item, parent, subject }];
}

/** What is to be said of a list that is sorted by something not known of all. */
export function uncountedRows(parent: TreeNode, uncounted: number): readonly TreeNode[] {
	return uncounted === 0
		? []
		: [
				remarkRow(
					parent.id,
					parent,
					uncounted === 1
						? vscode.l10n.t('1 ticket is listed last: its comments were not loaded')
						: vscode.l10n.t('{0} tickets are listed last: their comments were not loaded', countText(uncounted, true)),
				),
			];
}

/** A quiet last line that tells something of the rows above it. */
function remarkRow(id: string, parent: TreeNode | undefined, text: string): TreeNode {
	const item = new vscode.TreeItem(text, vscode.TreeItemCollapsibleState.None);
	item.iconPath = new vscode.ThemeIcon('info');
	item.contextValue = rowContext('counts', {});
	return { id: `${id}/remark`, item, parent, subject: undefined };
}
