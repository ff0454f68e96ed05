import * as vscode from 'vscode';
import { countText } from '../../../editor/trees/markTexts.ts';
import { isSameValue } from '../../../base/isSameValue.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { neighboursIn, nextWanted } from '../../../editor/trees/neighbours.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import { ticketSubject, trackerSubject, type TicketSubject } from '../subjects/subjects.ts';
import { groupRowId, shownRow } from './ticketRows.ts';
import {
	isQueueId,
	listOfRow,
	queuesOf,
	type TicketList,
	trackerRowId,
	type AccountTracker,
	type Shelf,
	type ShelfQuery,
} from './ticketShelf.ts';
import {
	inList,
	nameOf,
	placesIn,
	rowPositions,
	subjectOf,
	type RowPosition,
	type RowPositions,
} from './ticketOrder.ts';
import {
	firstWindow,
	mostRows,
	queueOf,
	queueQuery,
	rowsAtOnce,
	trackerQuery,
	type TreeContext,
} from './treeContext.ts';
import type { TreeRows } from './treeRows.ts';

/** The tickets before and after a ticket in the view's order. */
export interface Neighbours {
	readonly next?: TicketSubject | undefined;
	readonly previous?: TicketSubject | undefined;
	/** The list of that order; absent if the view does not show the ticket. */
	readonly within?: TicketList | undefined;
}

/** Navigation between tickets in the view's order. */
export type TicketNavigation = ReturnType<typeof ticketNavigation>;

/** Last known position of a ticket. */
interface Place {
	readonly shelfId: string;
	readonly parentId: string;
	/** Snapshot of the list at that time. */
	readonly shelf: Shelf;
}

export function ticketNavigation(context: TreeContext, rows: TreeRows) {
	const { tickets: ticketsContext, shelves, windows, changed } = context;
	const { connections, filters, view } = ticketsContext;
	const places = new Map<string, Place>();
	const moved = new Emitter<void>();
	/** Current position of the user. */
	let at: { readonly subject: TicketSubject; readonly place: Place } | undefined;
	const ending = new AbortController();
	const watching = view.onDidChangeSelection(({ selection }) => {
		// The page that opens next has the order of this list.
		selection.forEach((row) => {
			const subject = ticketSubject(row);
			const { parent } = row;
			if (subject && parent) {
				const from = isQueueId(parent.id) ? undefined : trackerAt(subject);
				const shelfId = from ? trackerRowId(from) : parent.id;
				const shelf = shelves.last(shelfId);
				if (shelf) {
					places.set(nameOf(subject), { shelfId, parentId: parent.id, shelf });
				}
			}
		});
		const subject = selection.length === 1 ? ticketSubject(selection[0]) : undefined;
		moveTo(subject, subject && places.get(nameOf(subject)));
	});

	function moveTo(subject: TicketSubject | undefined, place: Place | undefined): void {
		at = subject && place ? { subject, place } : undefined;
		moved.fire();
	}

	/** Position of the selected or last visited ticket, as in "12 of 94". Empty without one. */
	function progress(): string {
		if (!at) {
			return '';
		}
		const { subject, place } = at;
		const { shelfId, parentId } = place;
		const list = sameSide(place, shelves.last(shelfId) ?? place.shelf);
		const exact = list.placesOf(subject).find((place) => list.at(place)?.parentId === parentId);
		return exact === undefined
			? ''
			: vscode.l10n.t('{0} of {1}', countText(exact + 1, true), countText(list.length, true));
	}

	/** The tracker of a ticket; `undefined` after a sign-out. */
	function trackerAt({ connectionKey, ref }: TicketSubject): AccountTracker | undefined {
		const connection = connections.byKey(connectionKey);
		return connection && { connection, ref: ref.tracker };
	}

	function wishOf(shelfId: string, subject: TicketSubject): ShelfQuery | undefined {
		const from = trackerAt(subject);
		return isQueueId(shelfId)
			? queueQuery(context, queueOf(ticketsContext, shelfId))
			: from && trackerQuery(context, from);
	}

	/** Last known position. A ticket opened from elsewhere gets its position in its tracker. */
	async function placeOf(subject: TicketSubject): Promise<Place | undefined> {
		const known = places.get(nameOf(subject));
		if (known && wishOf(known.shelfId, subject)) {
			return known;
		}
		const from = trackerAt(subject);
		if (!from) {
			return undefined;
		}
		const shelfId = trackerRowId(from);
		const shelf = await shelves.current(shelfId, trackerQuery(context, from), ending.signal);
		const list = rowPositions(shelfId, shelf);
		const position = list.at(list.placesOf(subject)[0] ?? -1);
		return { shelfId, parentId: position?.parentId ?? shelfId, shelf };
	}

	function parentRow(place: Place, subject: TicketSubject): TreeNode | undefined {
		if (isQueueId(place.shelfId)) {
			const queue = queueOf(ticketsContext, place.shelfId);
			return queue && rows.queue(queue);
		}
		const from = trackerAt(subject);
		const shelf = shelves.last(place.shelfId);
		const group = shelf?.groups.find(({ key }) => key && groupRowId(place.shelfId, key) === place.parentId);
		return from && (shelf && group ? rows.group(from, shelf, group) : rows.tracker(from));
	}

	/** The list around a ticket's last known position: now and at that time. */
	async function listAround(subject: TicketSubject) {
		const place = await placeOf(subject);
		const wish = place && wishOf(place.shelfId, subject);
		if (!wish) {
			return undefined;
		}
		const { shelfId, parentId } = place;
		const now = await shelves.current(shelfId, wish, ending.signal);
		return {
			now: sameSide(place, now),
			/** Snapshot from the time of the ticket's selection. */
			before: sameSide(place, place.shelf),
			parentId,
			/** Records a step to another ticket of the list. */
			reached: (position: RowPosition | undefined): TicketSubject | undefined => {
				if (!position) {
					return undefined;
				}
				const reachedSubject = subjectOf(position.shown);
				places.set(nameOf(reachedSubject), { shelfId, parentId: position.parentId, shelf: now });
				return reachedSubject;
			},
		};
	}

	/**
	 * Neighbours in the list where the user last selected the ticket: a queue, or its tracker with group, filter and
	 * order. A ticket that left the list since then keeps its old neighbours.
	 */
	async function neighbours(subject: TicketSubject): Promise<Neighbours> {
		const list = await listAround(subject);
		if (!list) {
			return {};
		}
		const naming = inList(subject, list.parentId);
		const found = neighboursIn(list.now, list.before, naming);
		const isListed = [list.now, list.before].some((each) => naming.placeIn(each) !== -1);
		return {
			next: list.reached(found.next),
			previous: list.reached(found.previous),
			within: isListed ? listOfRow(list.parentId) : undefined,
		};
	}

	/** The next unread ticket of the same list; wraps around at the end. */
	async function nextUnread(subject: TicketSubject): Promise<TicketSubject | undefined> {
		const list = await listAround(subject);
		if (!list) {
			return undefined;
		}

		return list.reached(
			nextWanted(
				list.now,
				list.before,
				inList(subject, list.parentId),
				(each) => isUnread(each) && nameOf(subjectOf(each.shown)) !== nameOf(subject),
			),
		);
	}

	/**
	 * The first ticket below a queue, tracker or group row; without a row, below the first queue that has one. `unread`:
	 * skips read tickets.
	 */
	async function firstBelow(row: TreeNode | undefined, unread: boolean): Promise<TicketSubject | undefined> {
		if (!row) {
			for (const queue of queuesOf(filters)) {
				const found = await firstBelow(rows.queue(queue), unread);
				if (found) {
					return found;
				}
			}
			return undefined;
		}
		const wishHere = wishBelow(row);
		const above = wishHere ? row : row.parent;
		const wish = wishHere ?? (row.parent && wishBelow(row.parent));
		if (!above || !wish) {
			return undefined;
		}
		const shelf = await shelves.current(above.id, wish, ending.signal);
		const found = rowPositions(above.id, shelf).find(
			(each) => (above === row ? !each.isFolded : each.parentId === row.id) && (!unread || isUnread(each)),
		);
		const subject = found && subjectOf(found.shown);
		if (found && subject) {
			places.set(nameOf(subject), { shelfId: above.id, parentId: found.parentId, shelf });
		}
		return subject;
	}

	/** `undefined` for rows other than queues and trackers. */
	function wishBelow(row: TreeNode): ShelfQuery | undefined {
		if (isQueueId(row.id)) {
			return queueQuery(context, queueOf(ticketsContext, row.id));
		}
		const subject = trackerSubject(row);
		const connection = subject && connections.byKey(subject.connectionKey);
		const from = connection && { connection, ref: subject.ref };
		return from && row.id === trackerRowId(from) ? trackerQuery(context, from) : undefined;
	}

	/**
	 * Selects the ticket's row if the view is visible. A step in the view moves the focus to the row, so Enter opens
	 * the new ticket. A step on a page leaves the focus on the page.
	 */
	async function reveal(subject: TicketSubject, focus: boolean): Promise<void> {
		const place = await placeOf(subject);
		const from = trackerAt(subject);
		const parent = place && parentRow(place, subject);
		moveTo(subject, place);
		if (!from || !parent || !view.visible) {
			return;
		}
		const ticket = ticketOn(shelves.last(place.shelfId) ?? place.shelf, subject);
		if (!ticket) {
			return; // It left this list, so no row exists to select.
		}
		const { from: first, to } = windows.get(parent.id) ?? firstWindow;
		const { groups } = shelves.last(place.shelfId) ?? place.shelf;
		const among = groups.find(({ key }) => (key ? groupRowId(place.shelfId, key) : place.shelfId) === parent.id);
		const there = (among && placesIn(among, subject)[0]) ?? -1;
		if (there !== -1 && (there < first || there >= to)) {
			const start = Math.floor(there / rowsAtOnce) * rowsAtOnce;
			const end = start + rowsAtOnce;
			const isNear = there >= to && end - first <= mostRows;
			windows.set(parent.id, isNear ? { from: first, to: end } : { from: start, to: end });
			changed.fire(parent);
		}
		const row = shownRow(parent, from, ticket, context);
		await view.reveal(row, { select: true, focus });
	}

	function shelfIdsOf(subject: TicketSubject): readonly string[] {
		const from = trackerAt(subject);
		return [...(from ? [trackerRowId(from)] : []), ...queuesOf(filters).map(({ id }) => id)];
	}

	/** Current parent rows of the ticket's rows. */
	function parentsOf(subject: TicketSubject): readonly TreeNode[] {
		return shelfIdsOf(subject).flatMap((shelfId) => {
			const shelf = shelves.last(shelfId);
			const groups = shelf?.groups.filter((group) => placesIn(group, subject).length > 0) ?? [];
			return groups.flatMap(({ key }) => {
				const parentId = key ? groupRowId(shelfId, key) : shelfId;
				return (shelf && parentRow({ shelfId, parentId, shelf }, subject)) ?? [];
			});
		});
	}

	/** True if the view shows the ticket and all its rows look current. */
	function isShown(subject: TicketSubject, ticket: Ticket): boolean {
		const filled = shelfIdsOf(subject).flatMap((id) => {
			const shelf = shelves.last(id);
			return shelf ? [{ id, shown: ticketOn(shelf, subject) }] : [];
		});
		// A row may be newer than its shelf, and then differs from the shelf's ticket.
		return (
			filled.some(({ shown }) => shown) &&
			filled.every(({ id, shown }) => shelves.isCurrent(id) && (!shown || isSameValue(shown, ticket)))
		);
	}

	return {
		neighbours,
		nextUnread,
		firstBelow,
		progress,
		onDidMove: moved.event,
		reveal,
		parentsOf,
		isShown,
		dispose() {
			ending.abort();
			watching.dispose();
			moved.dispose();
		},
	};
}

function isUnread({ shown: { entry, from } }: RowPosition): boolean {
	return from.connection.readMarks.mark(entry.ticket) !== undefined;
}

/**
 * The part of a shelf on the same side: open tickets or collapsed resolved ones. Keeps navigation among open tickets
 * after one gets resolved.
 */
function sameSide({ shelfId, parentId, shelf: { groups } }: Place, shelf: Shelf): RowPositions {
	const isFolded = groups.some((group) => group.isFolded && group.key && groupRowId(shelfId, group.key) === parentId);
	return rowPositions(shelfId, shelf, (group) => group.isFolded === isFolded);
}

function ticketOn(shelf: Shelf, subject: TicketSubject): Ticket | undefined {
	for (const group of shelf.groups) {
		const [place] = placesIn(group, subject);
		if (place !== undefined) {
			return group.tickets[place]?.entry.ticket;
		}
	}
	return undefined;
}
