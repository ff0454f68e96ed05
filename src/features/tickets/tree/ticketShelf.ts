import type { Ticket } from '../../../forge/ticket.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import type { ParsedFilter, SortOrder } from '../../../search/filterTerm.ts';
import { groupingSteps, type GroupKey, type Grouping } from '../../../search/groupTickets.ts';
import type { Steps } from '../../../base/timeSlice.ts';
import { selectionSteps, type FoundTicket, type Search, type TicketSource } from '../../../search/selectTickets.ts';
import type { Connection } from '../../../state/connection.ts';
import type { IndexState } from '../../../state/tickets/index/ticketIndex.ts';
import { heldSteps, type HeldOrder } from './heldLists.ts';
import { rowSign } from './rowSign.ts';

/** One tracker as an account sees it. */
export interface SeenTracker {
	readonly connection: Connection;
	readonly ref: TrackerRef;
}

/** A ticket in the view. */
export type ShownTicket = FoundTicket<SeenTracker>;

/** What a shelf is filled with, and how. */
export interface ShelfWish {
	readonly trackers: readonly SeenTracker[];
	/** `undefined`: all tickets. */
	readonly filter: ParsedFilter | undefined;
	readonly order: SortOrder;
	readonly grouping: Grouping;
	/** Whether resolved tickets stand in a group of their own behind all others. */
	readonly foldsResolved: boolean;
	/** Tickets by their numbers that are grouped as they stood and not as they are; only where there is one tracker. */
	readonly stood?: ReadonlyMap<number, Ticket> | undefined;
	/** How its tickets stand, whatever order they would have now. */
	readonly held?: HeldOrder | undefined;
}

/** Tickets that stand together in the view, in the order shown. */
export interface ShelfGroup {
	/** `undefined` when the shelf is not grouped. */
	readonly key: GroupKey | undefined;
	/** The resolved ones of a shelf that folds them away. */
	readonly isFolded: boolean;
	readonly tickets: readonly ShownTicket[];
}

/** The tickets of a tracker or a queue, filtered, sorted and grouped. */
export interface Shelf {
	readonly groups: readonly ShelfGroup[];
	/** Different tickets that meet the filter. */
	readonly matching: number;
	/** How many of them have no row, because the others stand still. */
	readonly waiting: number;
	/** How many tickets were looked through. */
	readonly known: number;
	/** Whether those were all there are. */
	readonly isWhole: boolean;
	/** How many stand last because nobody counted their comments. */
	readonly uncounted: number;
}

/** How many tickets are looked at between two chances to rest. */
const stride = 64;

/** Everything, open or not: a filter that says nothing of the status wants open tickets. */
const everything: ParsedFilter = {
	terms: [{ condition: { kind: 'status', status: 'any' }, isNegated: false, range: { start: 0, end: 0 } }],
	sort: undefined,
};

/** What to look for. */
function searchOf({ filter, order }: ShelfWish): Search {
	return { filter: filter ?? everything, order };
}

/** Where to look for it: what is known of a tracker, as its account sees it. */
export function sourceOf(from: SeenTracker): TicketSource<SeenTracker> {
	const { me, looks, index } = from.connection;
	return { me, mark: (ticket) => looks.mark(ticket), tickets: index.tickets(from.ref), from };
}

/** Fills a shelf, step by step. */
export function* shelfSteps(wish: ShelfWish): Steps<Shelf> {
	const { found, uncounted } = yield* selectionSteps(searchOf(wish), wish.trackers.map(sourceOf));
	const { tickets, waiting } = wish.held
		? yield* heldSteps(wish.held, found, wish.trackers)
		: { tickets: found, waiting: 0 };
	const groups = yield* groupSteps(wish, tickets);
	const states: IndexState[] = [];
	for (const { connection, ref } of wish.trackers) {
		states.push(connection.index.state(ref));
		yield;
	}
	return {
		groups,
		matching: found.length,
		waiting,
		known: states.reduce((sum, state) => sum + (state.kind === 'unread' ? 0 : state.known), 0),
		isWhole: states.every(({ kind }) => kind === 'whole'),
		uncounted,
	};
}

function* groupSteps(
	{ grouping, foldsResolved, stood }: ShelfWish,
	found: readonly ShownTicket[],
): Steps<readonly ShelfGroup[]> {
	const ticketOf = ({ entry: { ticket } }: ShownTicket): Ticket => stood?.get(ticket.id) ?? ticket;
	const isResolved = (shown: ShownTicket): boolean => ticketOf(shown).status === 'resolved';
	const front = foldsResolved ? found.filter((shown) => !isResolved(shown)) : found;
	yield;
	const folded = foldsResolved ? found.filter(isResolved) : [];
	yield;
	const groups: readonly ShelfGroup[] =
		grouping === 'none'
			? [{ key: undefined, isFolded: false, tickets: front }]
			: (yield* groupingSteps(front, grouping, ticketOf)).map(({ key, items }) => ({
					key,
					isFolded: false,
					tickets: items,
				}));
	return folded.length === 0
		? groups
		: [...groups, { key: { kind: 'status', status: 'resolved' }, isFolded: true, tickets: folded }];
}

/** Equal as long as the shelf's rows look the same; found step by step. */
export function* signSteps({ groups, matching, waiting, isWhole, uncounted }: Shelf): Steps<string> {
	const sign = rowSign();
	let looked = 0;
	for (const { tickets } of groups) {
		for (const { entry, from } of tickets) {
			sign.add(entry.ticket, from.connection.looks.mark(entry.ticket));
			looked += 1;
			if (looked % stride === 0) {
				yield;
			}
		}
	}
	return `${matching} ${waiting} ${isWhole} ${uncounted} ${sign.value()}`;
}
