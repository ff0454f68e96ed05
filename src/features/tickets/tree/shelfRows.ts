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

export function shownRow(
	parent: TreeNode,
	{ connection, ref: tracker }: SeenTracker,
	{ ticket, ages }: { readonly ticket: Ticket; readonly ages: RowAges },
): TreeNode {
	const ref = refOfTicket(ticket);
	const isInQueue = isQueueId(parent.id);
	return ticketRow({
		connection,
		// Keep the view's spelling of the tracker: servers ignore case, row ids don't.
		ref: { tracker, id: ref.id },
		ticket,
		parent,
		id: isInQueue ? `${parent.id}/${connection.key}/${ticketRefText(ref)}` : `${parent.id}#${ref.id}`,
		namesTracker: isInQueue,
		mark: connection.readMarks.mark(ticket),
		ages,
	});
}

/** The visible window of ticket rows, with "Show More" rows around it. */
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

/** Rows created per time slice. */
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

/** "Load More" row below an incomplete tracker, with the known and total counts. */
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

/** Loads pages until the index grows. The index may be ahead of this window's listing, so one page may add nothing. */
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

/** Row below a frozen list that shows the number of new matches. */
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

/** Note below a list whose sort key is unknown for some tickets. */
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

/** Last row with a note about the rows above. */
function remarkRow(id: string, parent: TreeNode | undefined, text: string): TreeNode {
	const item = new vscode.TreeItem(text, vscode.TreeItemCollapsibleState.None);
	item.iconPath = new vscode.ThemeIcon('info');
	item.contextValue = rowContext('counts', {});
	return { id: `${id}/remark`, item, parent, subject: undefined };
}
