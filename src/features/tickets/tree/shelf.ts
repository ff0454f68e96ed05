import type { Ticket } from '../../../forge/port/ticket.ts';
import type { Connection } from '../../../store/connection.ts';
import type { TrackerRef } from '../../../forge/port/tracker.ts';
import type { FoundTicket } from '../../../engine/search/selectTickets.ts';
import type { ParsedFilter, SortOrder } from '../../../engine/search/filterTerm.ts';
import type { Grouping, GroupKey } from '../../../engine/search/groupTickets.ts';

/** One tracker as an account sees it. */
export interface SeenTracker {
	readonly connection: Connection;
	readonly ref: TrackerRef;
}

/** A ticket in the view. */
export type ShownTicket = FoundTicket<SeenTracker>;

/** Order of a list when the user unfolded it. */
export type HeldOrder = readonly ShownTicket[];

/** Query of a shelf: trackers, filter, order and grouping. */
export interface ShelfWish {
	readonly trackers: readonly SeenTracker[];
	/** `undefined`: all tickets. */
	readonly filter: ParsedFilter | undefined;
	readonly order: SortOrder;
	readonly grouping: Grouping;
	/** Puts resolved tickets into a separate last group. */
	readonly foldsResolved: boolean;
	/** Tickets by number that keep their old group. Only for a single tracker. */
	readonly stood?: ReadonlyMap<number, Ticket> | undefined;
	/** Frozen order; overrides `order`. */
	readonly held?: HeldOrder | undefined;
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
}

/** A queue or a filtered tracker. */
export interface FilteredList {
	/** Id of its row. */
	readonly id: string;
	/** Filter text as the user wrote it. */
	readonly text: string;
}
