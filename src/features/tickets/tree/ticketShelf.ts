import type { Ticket } from '../../../forge/port/ticket.ts';
import type { ParsedFilter } from '../../../engine/search/filterTerm.ts';
import { groupingSteps, type GroupKey } from '../../../engine/search/groupTickets.ts';
import type { Steps } from '../../../base/timeSlice.ts';
import { selectionSteps, type Search, type TicketSource } from '../../../engine/search/selectTickets.ts';
import type { IndexState } from '../../../store/tickets/index/ticketIndexer.ts';
import { heldSteps } from './heldLists.ts';
import type { ShelfWish, SeenTracker, Shelf, ShownTicket, ShelfGroup } from './shelf.ts';

/** Tickets processed per time slice. */
const stride = 64;

/** Matches every status. A filter without a status term would select open tickets only. */
const everything: ParsedFilter = {
	terms: [{ condition: { kind: 'status', status: 'any' }, isNegated: false, range: { start: 0, end: 0 } }],
	sort: undefined,
};

function searchOf({ filter, order }: ShelfWish): Search {
	return { filter: filter ?? everything, order };
}

/** Indexed tickets of a tracker as search input. */
export function sourceOf(from: SeenTracker): TicketSource<SeenTracker> {
	const { me, readMarks, index } = from.connection;
	return { me, mark: (ticket) => readMarks.mark(ticket), tickets: index.tickets(from.ref), from };
}

/** Fills a shelf in time slices. */
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
	const [front, folded]: ShownTicket[][] = [[], []];
	let looked = 0;
	for (const shown of found) {
		(foldsResolved && ticketOf(shown).status === 'resolved' ? folded : front)?.push(shown);
		looked += 1;
		if (looked % stride === 0) {
			yield;
		}
	}
	const groups: ShelfGroup[] = [];
	if (grouping === 'none') {
		groups.push(yield* placedSteps(undefined, front ?? []));
	} else {
		for (const { key, items } of yield* groupingSteps(front ?? [], grouping, ticketOf)) {
			groups.push(yield* placedSteps(key, items));
		}
	}
	if (folded !== undefined && folded.length > 0) {
		groups.push({ ...(yield* placedSteps({ kind: 'status', status: 'resolved' }, folded)), isFolded: true });
	}
	return groups;
}

function* placedSteps(key: GroupKey | undefined, tickets: readonly ShownTicket[]): Steps<ShelfGroup> {
	const places = new Map<number, readonly number[] | number>();
	for (const [place, { entry }] of tickets.entries()) {
		const known = places.get(entry.ticket.id);
		places.set(entry.ticket.id, known === undefined ? place : [known, place].flat());
		if (place % stride === 0) {
			yield;
		}
	}
	return { key, isFolded: false, tickets, places };
}
