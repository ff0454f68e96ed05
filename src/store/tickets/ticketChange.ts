import type { Completeness } from '../../forge/port/page.ts';
import type { Ticket, TicketEvent, TicketRef } from '../../forge/port/ticket.ts';
import type { Tracker, TrackerRef } from '../../forge/port/tracker.ts';
import type { Listing, ReadOnce } from '../shared/listing.ts';
import type { PageRead } from '../shared/pageRead.ts';
import type { TicketPage } from './ticketPage.ts';
import type { RememberedTickets, RememberedTrackers, TrackerLabels } from './rememberedTickets.ts';

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
