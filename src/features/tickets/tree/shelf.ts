import type { Ticket } from '../../../forge/ticket.ts';
import type { Connection } from '../../../state/connection.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import type { FoundTicket } from '../../../search/selectTickets.ts';
import type { ParsedFilter, SortOrder } from '../../../search/filterTerm.ts';
import type { Grouping, GroupKey } from '../../../search/groupTickets.ts';

/** One tracker as an account sees it. */
export interface SeenTracker {
	readonly connection: Connection;
	readonly ref: TrackerRef;
}

/** A ticket in the view. */
export type ShownTicket = FoundTicket<SeenTracker>;

/** A list's tickets in their order when somebody unfolded it. */
export type HeldOrder = readonly ShownTicket[];

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
	/** Places in `tickets` by ticket number; in a queue several trackers may have the same number. */
	readonly places: ReadonlyMap<number, readonly number[] | number>;
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

/** A list that is held to a filter: a queue, or a tracker. */
export interface FilteredList {
	/** Id of its row. */
	readonly id: string;
	/** The filter as it was written. */
	readonly text: string;
}
