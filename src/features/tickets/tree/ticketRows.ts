import * as vscode from 'vscode';
import { runResting, type Steps } from '@forge-desk/base/timeSlice.ts';
import { rowContext } from '../../../commands/rows.ts';
import { extraParagraphs, unsentMark } from '../../../editor/ask/extraFields.ts';
import type { ShowMoreSubject } from '../../../editor/commands/subjects.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { countText, newText, markSentence, markText } from '../../../editor/trees/markTexts.ts';
import { countsText, moreRow } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import { refOfTicket, ticketRefText, type Ticket } from 'sourcehut/port/ticket.ts';
import type { Connection } from '../../../store/connection.ts';
import { fullTime } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { ticketRights } from '../subjects/permissions.ts';
import { personName, statusLook, statusText } from '../subjects/words.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { totalText, ticketsText } from './countTexts.ts';
import { ticketRowText, titleWith } from './ticketRowText.ts';
import { isQueueId, type AccountTracker, type Shelf, type ShelfQuery, type ShownTicket } from './ticketShelf.ts';
import { type RowAges, firstWindow, mostRows, rowsAtOnce, type RowWindow, type TreeContext } from './treeContext.ts';
import { groupName, type GroupKey } from '../../../engine/search/groupTickets.ts';

/** Scheme of row addresses. No provider opens them. */
export const ticketScheme = 'forge-ticket';

/**
 * Row of a ticket below its tracker, one of its groups, or a queue. Computes its age on each draw. Read further facts
 * here, into the look: two callers draw rows, and the comparison of looks decides on a redraw.
 */
export function shownRow(
	parent: TreeNode,
	from: AccountTracker,
	ticket: Ticket,
	{ shelves, ages }: TreeContext,
): TreeNode {
	const { connection, ref: tracker } = from;
	// Keep the view's spelling of the tracker: servers ignore case, row ids don't.
	const ref = { tracker, id: refOfTicket(ticket).id };
	const isInQueue = isQueueId(parent.id);
	const mark = connection.readMarks.mark(ticket);
	const look: TicketAppearance = {
		subject: { kind: 'ticket', connectionKey: connection.key, ref },
		ticket,
		mark,
		namesTracker: isInQueue && shelves.last(parent.id)?.isMixed === true,
		marks: marksOf(connection, ticket, mark),
	};
	return {
		id: isInQueue ? `${parent.id}/${connection.key}/${ticketRefText(refOfTicket(ticket))}` : `${parent.id}#${ref.id}`,
		get item() {
			return ticketItem(look, ages);
		},
		agedMs: ticket.updatedMs,
		parent,
		subject: look.subject,
		look,
		tooltip: () => Promise.resolve(ticketTooltip(look)),
	};
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
	const rows: TreeNode[] = [];
	for (const { entry, from } of tickets) {
		rows.push(shownRow(parent, from, entry.ticket, context));
		if (rows.length % stride === 0) {
			yield;
		}
	}
	return rows;
}

/** "Load More" row below an incomplete tracker, with the known and total counts. */
export function restRows(
	parent: TreeNode,
	from: AccountTracker,
	{ filter, grouping }: ShelfQuery,
	{ groups }: Shelf,
): readonly TreeNode[] {
	const state = from.connection.index.state(from.ref);
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
			const [known, total] = [countText(state.known, true), totalText(state)];
			const counts = isPlain
				? countsText(state.known, { kind: 'more', total: state.total })
				: total === undefined
					? vscode.l10n.t('Searched {0}, and there are more', known)
					: vscode.l10n.t('Searched {0} of {1}', known, total);
			return [moreRow({ id, parent, counts }, (signal) => readOn(from, signal))];
		}
	}
}

/** Loads pages until the index grows. The index may be ahead of this window's listing, so one page may add nothing. */
async function readOn({ connection: { tickets, index }, ref }: AccountTracker, signal: AbortSignal): Promise<void> {
	const known = (): number => {
		const state = index.state(ref);
		return state.kind === 'unread' ? 0 : state.known;
	};
	const before = known();
	for (;;) {
		const { completeness } = await tickets.reads(ref).more(signal);
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
	if (uncounted === 0) {
		return [];
	}
	const text =
		uncounted === 1
			? vscode.l10n.t('1 ticket is listed last: its comments were not loaded')
			: vscode.l10n.t('{0} tickets are listed last: their comments were not loaded', countText(uncounted, true));
	const item = new vscode.TreeItem(text, vscode.TreeItemCollapsibleState.None);
	item.iconPath = new vscode.ThemeIcon('info');
	item.contextValue = rowContext('counts', {});
	return [{ id: `${parent.id}/remark`, item, parent, subject: undefined }];
}

/** Everything that a ticket's row shows, except its age. */
interface TicketAppearance {
	readonly subject: TicketSubject;
	readonly ticket: Ticket;
	readonly mark: Mark | undefined;
	/** True if rows of other trackers surround this one, so the label names the tracker. */
	readonly namesTracker: boolean;
	/** For the menus. */
	readonly marks: ReturnType<typeof marksOf>;
}

function ticketItem({ subject, ticket, mark, marks, namesTracker }: TicketAppearance, ages: RowAges): vscode.TreeItem {
	const { ref } = subject;
	const { codicon, color } = statusLook(ticket.status);
	const tracker = namesTracker ? ref.tracker.name : undefined;
	const people = ticket.assignees.map(({ canonicalName }) => visibleLine(canonicalName));
	const text = ticketRowText(ticket, tracker, ages.short(ticket.updatedMs), unsentMark(ticket));
	const item = new vscode.TreeItem(text.label, vscode.TreeItemCollapsibleState.None);
	item.description = text.description;
	item.iconPath = new vscode.ThemeIcon(codicon, color === undefined ? undefined : new vscode.ThemeColor(color));
	item.contextValue = rowContext(ticket.status === 'resolved' ? 'ticket.resolved' : 'ticket.open', marks);
	// The editor looks up decorations by URI; the unread dot is one.
	item.resourceUri = vscode.Uri.from({
		scheme: ticketScheme,
		authority: subject.connectionKey,
		path: `/${ticketRefText(ref)}`,
	});
	// Starts with the whole of the visible label, so voice control users can say it.
	const spoken = [
		titleWith(visibleLine(ticket.title), `${visibleLine(tracker ?? '')}#${ref.id}`),
		...(mark ? [markText(mark)] : []),
		statusText(ticket.status, ticket.resolution),
		vscode.l10n.t('updated {0}', ages.spoken(ticket.updatedMs)),
		...unsentMark(ticket),
		...(ticket.labels.length === 0 ? [] : [vscode.l10n.t('labels: {0}', ticket.labels.map(visibleLine).join(', '))]),
		...(people.length === 0 ? [] : [vscode.l10n.t('Assigned to {0}', people.join(', '))]),
	];
	item.accessibilityInformation = { label: spoken.join(', ') };
	item.command = { command: 'forge.tickets.open', title: vscode.l10n.t('Open Ticket'), arguments: [subject] };
	return item;
}

function marksOf(connection: Connection, ticket: Ticket, mark: Mark | undefined) {
	const rights = ticketRights(connection, ticket);
	return {
		unread: mark !== undefined,
		noTriage: rights.canTriage.kind === 'impossible',
		noComment: rights.canComment.kind === 'impossible',
		assigns: rights.canAssign?.kind === 'possible',
		edits: rights.canEdit?.kind === 'possible',
		deletes: rights.canDelete?.kind === 'possible',
		mails: connection.writes.subscriptions !== undefined,
	};
}

function ticketTooltip({ subject: { ref }, ticket, mark }: TicketAppearance): vscode.MarkdownString {
	const locale = vscode.env.language;
	return untrustedMarkdown([
		`**${escapeMarkdown(visibleLine(ticket.title))}**`,
		escapeMarkdown(visibleLine(ticketRefText(ref))),
		escapeMarkdown(statusText(ticket.status, ticket.resolution)),
		mark ? escapeMarkdown(markSentence(mark)) : '',
		escapeMarkdown(
			vscode.l10n.t('Submitted by {0} on {1}', personName(ticket.submitter), fullTime(ticket.createdMs, locale)),
		),
		escapeMarkdown(vscode.l10n.t('Updated on {0}', fullTime(ticket.updatedMs, locale))),
		escapeMarkdown(ticket.labels.map(visibleLine).join(', ')),
		escapeMarkdown(ticket.assignees.map(({ canonicalName }) => visibleLine(canonicalName)).join(', ')),
		...extraParagraphs(ticket),
	]);
}

/**
 * Row of a ticket group below its tracker. Its commands act on the tracker. `isWhole`: false if the forge has more
 * tickets than the index.
 */
export function groupRow(
	key: GroupKey,
	count: number,
	isWhole: boolean,
	parent: TreeNode,
	children: NonNullable<TreeNode['children']>,
): TreeNode {
	const { text, icon, spoken } = lookOf(key);
	const item = new vscode.TreeItem(text, vscode.TreeItemCollapsibleState.Collapsed);
	const counted = countText(count, isWhole);
	item.description = counted;
	item.iconPath = icon;
	item.contextValue = rowContext('ticketGroup', {});
	item.accessibilityInformation = { label: `${spoken}, ${ticketsText(counted)}` };
	return { id: groupRowId(parent.id, key), item, parent, children, subject: parent.subject };
}

export function groupRowId(trackerId: string, key: GroupKey): string {
	return `${trackerId}/${groupName(key)}`;
}

function lookOf(key: GroupKey) {
	switch (key.kind) {
		case 'status': {
			const { text, codicon, color } = statusLook(key.status);
			const icon = new vscode.ThemeIcon(codicon, color === undefined ? undefined : new vscode.ThemeColor(color));
			return { text, icon, spoken: vscode.l10n.t('Status {0}', text) };
		}
		case 'label': {
			const text = visibleLine(key.name);
			return { text, icon: new vscode.ThemeIcon('tag'), spoken: vscode.l10n.t('Label {0}', text) };
		}
		case 'assignee': {
			const text = visibleLine(key.name);
			return { text, icon: new vscode.ThemeIcon('person'), spoken: vscode.l10n.t('Assigned to {0}', text) };
		}
		case 'noLabel':
			return plain(vscode.l10n.t('No label'));
		case 'noAssignee':
			return plain(vscode.l10n.t('No assignee'));
	}
}

function plain(text: string) {
	return { text, icon: new vscode.ThemeIcon('dash'), spoken: text };
}
