import { type TicketFilterReading, parseTicketFilter, type TicketFilter } from '../../../engine/search/ticketFilter.ts';

import type { Steps } from '@forge-desk/base/timeSlice.ts';
import type { SortOrder } from '../../../engine/search/filterGrammar.ts';
import { groupingSteps, type Grouping, type GroupKey } from '../../../engine/search/groupTickets.ts';
import { selectionSteps, type FoundTicket, type TicketSource } from '../../../engine/search/selectTickets.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { Connection } from '../../../store/connection.ts';
import type { IndexState } from '../../../store/tickets/index/ticketIndexer.ts';
import type { FilterSubject, SavedFilter, TicketFilters } from '../choices/ticketFilters.ts';

/** One tracker as an account sees it. */
export interface AccountTracker {
	readonly connection: Connection;
	readonly ref: TrackerRef;
}

/** Id of a tracker's row, independent of its parent. */
export function trackerRowId({ connection, ref }: AccountTracker): string {
	return `${connection.key}/${refText(ref)}`;
}

/** A ticket in the view. */
export type ShownTicket = FoundTicket<AccountTracker>;

/** Order of a list when the user unfolded it. */
export type FrozenOrder = readonly ShownTicket[];

/** Query of a shelf: trackers, filter, order and grouping. */
export interface ShelfQuery {
	readonly trackers: readonly AccountTracker[];
	/** `undefined`: all tickets. */
	readonly filter: TicketFilter | undefined;
	readonly order: SortOrder;
	readonly grouping: Grouping;
	/** Puts resolved tickets into a separate last group. */
	readonly foldsResolved: boolean;
	/** Tickets by number that keep their old group. Only for a single tracker. */
	readonly groupBefore?: ReadonlyMap<number, Ticket> | undefined;
	/** Frozen order; overrides `order`. */
	readonly frozen?: FrozenOrder | undefined;
}

/** A group of tickets, in display order. */
export interface ShelfGroup {
	/** `undefined` if the shelf has no grouping. */
	readonly key: GroupKey | undefined;
	/** True for the collapsed group of resolved tickets. */
	readonly isFolded: boolean;
	readonly tickets: readonly ShownTicket[];
	/** Indexes into `tickets` by ticket number. In a queue, several trackers may share a number. */
	readonly places: ReadonlyMap<number, readonly number[] | number>;
}

/** Filtered, sorted and grouped tickets of a tracker or a queue. */
export interface Shelf {
	readonly groups: readonly ShelfGroup[];
	/** Distinct tickets that match the filter. */
	readonly matching: number;
	/** Matches without a row, because the list is frozen. */
	readonly waiting: number;
	/** Number of searched tickets. */
	readonly known: number;
	/** True if the index has all tickets. */
	readonly isWhole: boolean;
	/** Tickets at the end because their comment count is unknown. */
	readonly uncounted: number;
	/** True if tickets of several trackers have rows. */
	readonly isMixed: boolean;
}

/** A queue or a filtered tracker. */
export interface FilteredList {
	/** Id of its row. */
	readonly id: string;
	/** Filter text as the user wrote it. */
	readonly text: string;
}

/** Tickets processed per time slice, and of a frozen list. */
const stride = 64;
const frozenStride = 256;

/** Matches every status. A filter without a status term would select open tickets only. */
const everything: TicketFilter = {
	terms: [{ condition: { kind: 'status', status: 'any' }, isNegated: false, range: { start: 0, end: 0 } }],
	sort: undefined,
};

/** Indexed tickets of a tracker as search input. */
export function sourceOf(from: AccountTracker): TicketSource<AccountTracker> {
	const { me, readMarks, index } = from.connection;
	return { me, mark: (ticket) => readMarks.mark(ticket), tickets: index.tickets(from.ref), from };
}

/** Fills a shelf in time slices. */
export function* shelfSteps(wish: ShelfQuery): Steps<Shelf> {
	const { found, uncounted } = yield* selectionSteps(
		{ filter: wish.filter ?? everything, order: wish.order },
		wish.trackers.map(sourceOf),
	);
	const { tickets, waiting } = wish.frozen
		? yield* frozenSteps(wish.frozen, found, wish.trackers)
		: { tickets: found, waiting: 0 };
	const { groups, isMixed } = yield* groupSteps(wish, tickets);
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
		isMixed,
	};
}

function* groupSteps(
	{ grouping, foldsResolved, groupBefore }: ShelfQuery,
	found: readonly ShownTicket[],
): Steps<{ readonly groups: Shelf['groups']; readonly isMixed: boolean }> {
	const ticketOf = ({ entry: { ticket } }: ShownTicket): Ticket => groupBefore?.get(ticket.id) ?? ticket;
	const [front, folded]: ShownTicket[][] = [[], []];
	const first = found[0]?.from;
	let [looked, isMixed] = [0, false];
	for (const shown of found) {
		isMixed ||= shown.from !== first && first !== undefined && trackerRowId(shown.from) !== trackerRowId(first);
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
	return { groups, isMixed };
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

/**
 * Puts the current tickets into the frozen order, including tickets that no longer match the filter. Skips tickets that
 * left the index. `waiting`: the number of new matches that the list hides.
 */
function* frozenSteps(
	order: FrozenOrder,
	found: readonly ShownTicket[],
	trackers: readonly AccountTracker[],
): Steps<{ readonly tickets: readonly ShownTicket[]; readonly waiting: number }> {
	/** Shared beginnings of the tickets' keys. */
	const prefixes = new Map<AccountTracker, string>();
	const names = ({ entry, from }: ShownTicket): string => {
		const prefix = prefixes.get(from) ?? `${from.connection.key}/${refText(from.ref)}`.toLowerCase();
		prefixes.set(from, prefix);
		return `${prefix}#${entry.ticket.id}`;
	};
	const wanted = new Set<string>();
	const now = new Map<string, ShownTicket>();
	let looked = 0;
	for (const shown of order) {
		wanted.add(names(shown));
		looked += 1;
		if (looked % frozenStride === 0) {
			yield;
		}
	}
	const note = (shown: ShownTicket): boolean => {
		const name = names(shown);
		if (wanted.has(name)) {
			now.set(name, shown);
		}
		looked += 1;
		return looked % frozenStride === 0;
	};
	for (const shown of found) {
		if (note(shown)) {
			yield;
		}
	}
	const waiting = found.length - now.size;
	for (const from of now.size === wanted.size ? [] : trackers) {
		for (const entry of from.connection.index.tickets(from.ref)) {
			if (note({ entry, from })) {
				yield;
			}
		}
	}
	const tickets: ShownTicket[] = [];
	for (const name of wanted) {
		const shown = now.get(name);
		if (shown) {
			tickets.push(shown);
		}
		looked += 1;
		if (looked % frozenStride === 0) {
			yield;
		}
	}
	return { tickets, waiting };
}

/** A filter over all trackers, shown as one list. */
export interface Queue {
	/** Id of its row. */
	readonly id: string;
	/** Name of a saved filter, or the text of an unsaved one. */
	readonly name: string;
	/** Unparsed. */
	readonly text: string;
	readonly subject: FilterSubject;
	/** Parsed filter or its problem. Stored text may come from an older version. */
	readonly reading:
		| TicketFilterReading
		| { readonly kind: 'problem'; readonly problem: NonNullable<SavedFilter['problem']> };
}

/** Id of the row of the filter over all trackers that is not saved. */
export const appliedQueueId = 'queue:applied';

/** The filter applied to all trackers, then the user's saved filters, then the workspace's. */
export function queuesOf(filters: TicketFilters): readonly Queue[] {
	const applied = filters.onAll();
	const times = new Map<string, number>();
	const saved = filters.saved().map((each): Queue => {
		const base = `queue:${each.where}:${each.name}`;
		const before = times.get(base) ?? 0;
		times.set(base, before + 1);
		return {
			// A setting may hold the same name twice.
			id: before === 0 ? base : `${base}:${before}`,
			name: each.name,
			text: each.filter,
			subject: { kind: 'filter', name: each.name, where: each.where },
			reading: each.problem ? { kind: 'problem', problem: each.problem } : parseTicketFilter(each.filter),
		};
	});
	return applied === undefined
		? saved
		: [
				{
					id: appliedQueueId,
					name: applied,
					text: applied,
					subject: { kind: 'appliedFilter' },
					reading: parseTicketFilter(applied),
				},
				...saved,
			];
}

/** True for a queue's row id; all other ids begin with an account key, which has no colon. */
export function isQueueId(id: string): boolean {
	return id.startsWith('queue:');
}

/** Kind of a ticket list. */
export type TicketList = 'queue' | 'tracker';

/** List kind of a parent row; only trackers contain groups. */
export function listOfRow(id: string): TicketList {
	return isQueueId(id) ? 'queue' : 'tracker';
}
