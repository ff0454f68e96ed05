import type { Completeness, Cursor } from 'sourcehut/port/page.ts';
import type { Ticket, TicketEvent, TicketRef } from 'sourcehut/port/ticket.ts';
import type { Tracker, TrackerRef } from 'sourcehut/port/tracker.ts';
import type { Listing, ReadOnce } from '../shared/listing.ts';
import type { NumberRange } from '../shared/numberRanges.ts';
import type { PageRead } from '../shared/pageRead.ts';
import type { RememberedTickets, RememberedTrackers, TrackerLabels } from './savedTickets.ts';

/** A page of tickets with its request parameters. */
export interface TicketPage {
	readonly items: readonly Ticket[];
	readonly completeness: Completeness;
	/** Requested first number; `undefined` for the newest. */
	readonly from: number | undefined;
	/** Cursor below its last ticket. */
	readonly next?: Cursor | undefined;
	/** Change counter at the start of the request. */
	readonly stamp: number;
	readonly atMs: number;
	/** Timelines in the response, by ticket number. */
	readonly timelines?: ReadonlyMap<number, Listing<TicketEvent>>;
}

/** Effect of applying a page. */
export interface PageGrowth {
	/** Known tickets that changed. */
	readonly changed: readonly Ticket[];
	/** Number of added, removed and changed tickets. */
	readonly differences: number;
	/** True when the page covers new numbers. */
	readonly reachesFurther: boolean;
	/** True when tickets were added or removed, or the end of the list moved. */
	readonly isOtherList: boolean;
}

/** Larger pages are processed in parts, with yields in between. */
const mostAtOnce = 128;

/** Splits a large page into parts that look like consecutive pages. */
export function* partsOf(page: TicketPage): Generator<{ readonly page: TicketPage; readonly isLast: boolean }, void> {
	const { items, completeness } = page;
	if (items.length <= 4 * mostAtOnce || !isInOrder(items)) {
		yield { page, isLast: true };
		return;
	}
	const total = completeness.kind === 'more' ? completeness.total : items.length;
	let { from } = page;
	for (let start = 0; start < items.length; start += mostAtOnce) {
		const part = items.slice(start, start + mostAtOnce);
		const isLast = start + mostAtOnce >= items.length;
		const rest: Completeness = { kind: 'more', total: completeness.kind === 'unstated' ? undefined : total };
		const end = isLast ? { completeness, next: page.next } : { completeness: rest, next: undefined };
		yield { page: { ...page, ...end, items: part, from }, isLast };
		from = (part.at(-1)?.id ?? 1) - 1;
	}
}

function isInOrder(items: readonly Ticket[]): boolean {
	return items.every(({ id }, at) => id < (items[at - 1]?.id ?? Number.POSITIVE_INFINITY));
}

/** Number range covered by a page; `undefined` when its order is unexpected. */
export function rangeOf({ items, from, completeness }: TicketPage, highest: number): NumberRange | undefined {
	if (!isInOrder(items)) {
		return undefined;
	}
	const last = items.at(-1)?.id ?? Number.POSITIVE_INFINITY;
	const newest = items[0]?.id;
	if (newest === undefined) {
		// An empty response without a completeness mark proves nothing.
		return completeness.kind === 'complete' ? { top: from ?? highest, bottom: 1 } : undefined;
	}
	const top = from === undefined ? Math.max(newest, highest) : Math.max(newest, from);
	// If the server ignored the requested start, the page covers only its own tickets.
	const isAsAsked = from === undefined || newest <= from;
	return { top: isAsAsked ? top : newest, bottom: completeness.kind === 'more' ? last : 1 };
}

/** Data from the disk cache. It never replaces known data. */
export type RememberedNews =
	| ({ readonly kind: 'rememberedTrackers' } & RememberedTrackers)
	| ({ readonly kind: 'rememberedTickets' } & RememberedTickets);

/**
 * A result of a read. A ticket missing from a page was deleted. `stamp` is the change counter at the start of the
 * request; later changes win.
 */
export type TicketReading = TrackerReading | ReadingOfTracker;

export type TrackerReading =
	| { readonly kind: 'ownTrackersRead'; readonly page: PageRead<Tracker> }
	| {
			readonly kind: 'allOwnTrackersRead';
			readonly items: readonly Tracker[];
			readonly completeness: Completeness;
			readonly stamp: number;
	  }
	| { readonly kind: 'trackerRead'; readonly tracker: Tracker; readonly stamp: number }
	| {
			readonly kind: 'labelsRead';
			readonly known: TrackerLabels;
			readonly stamp: number;
	  };

export type ReadingOfTracker =
	| TicketsRead
	| {
			readonly kind: 'ticketRead';
			readonly ticket: TicketRef;
			readonly value: Ticket;
			readonly stamp: number;
			/** The part of the timeline in the response. */
			readonly timeline?: Listing<TicketEvent> | undefined;
	  }
	| TicketsConfirmed
	| { readonly kind: 'eventsRead'; readonly ticket: TicketRef; readonly page: PageRead<TicketEvent> }
	/** The forge is unreachable, or without `error`, still being asked. `old`: data from the disk cache, if any. */
	| {
			readonly kind: 'ticketRecalled';
			readonly ticket: TicketRef;
			readonly old: ReadOnce<Ticket> | undefined;
			readonly error: unknown;
	  }
	/** The ticket is forbidden or deleted. */
	| { readonly kind: 'ticketRefused'; readonly ticket: TicketRef };

/** Last change times by ticket number. Tickets with the same known time are confirmed. */
export interface TicketsConfirmed {
	readonly kind: 'ticketsConfirmed';
	readonly tracker: TrackerRef;
	readonly changedMs: ReadonlyMap<number, number>;
	readonly stamp: number;
	readonly atMs: number;
}

/** A page of tickets, or a part of a large one; `isLast` marks the last part. */
export interface TicketsRead {
	readonly kind: 'ticketsRead';
	readonly tracker: TrackerRef;
	readonly page: TicketPage;
	/** `look`: a first read, whose caller gets the answer. `page`: a single page. `all`: a page of a complete read. */
	readonly wanted: 'look' | 'page' | 'all';
	readonly isLast: boolean;
}

/** Change events, as specific as possible. */
export type TicketStoreChange =
	/** Trackers added or removed. */
	| { readonly kind: 'trackers' }
	/** A tracker or its ticket list. */
	| { readonly kind: 'tracker'; readonly tracker: TrackerRef }
	/** A ticket or its timeline. */
	| { readonly kind: 'ticket'; readonly ticket: TicketRef };

/** Text sent to the forge; `ticketId` is undefined for a new ticket. */
export interface SentText {
	readonly tracker: TrackerRef;
	readonly ticketId: number | undefined;
	readonly text: string;
}
