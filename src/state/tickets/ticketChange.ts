import type { Completeness } from '../../forge/page.ts';
import type { Ticket, TicketEvent, TicketRef } from '../../forge/ticket.ts';
import type { Label, Tracker, TrackerRef } from '../../forge/tracker.ts';
import type { Listing, ReadOnce } from '../shared/listing.ts';
import type { PageRead } from '../shared/pageRead.ts';
import type { TicketPage } from './ticketPage.ts';
import type { RememberedTickets, RememberedTrackers } from './rememberedTickets.ts';

/** Not newer but older: what was known when the window was closed. It never replaces what is known. */
export type RememberedNews =
	| ({ readonly kind: 'rememberedTrackers' } & RememberedTrackers)
	| ({ readonly kind: 'rememberedTickets' } & RememberedTickets);

/**
 * What was read. A page says more than its items do: what is missing on it is gone. What was applied after the request
 * began is newer; `stamp` is the count of changes at that moment.
 */
export type TicketReading = TrackerReading | ReadingOfTracker;

/** Of trackers themselves. */
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
			readonly tracker: TrackerRef;
			readonly labels: readonly Label[];
			readonly stamp: number;
	  };

/** Of the tickets of one tracker and their timelines. */
export type ReadingOfTracker =
	| TicketsRead
	| {
			readonly kind: 'ticketRead';
			readonly ticket: TicketRef;
			readonly value: Ticket;
			readonly stamp: number;
			/** What came along of its timeline. */
			readonly timeline?: Listing<TicketEvent> | undefined;
	  }
	| TicketsConfirmed
	| { readonly kind: 'eventsRead'; readonly ticket: TicketRef; readonly page: PageRead<TicketEvent> }
	/** The forge is away, or without `error` is being asked; `old` is what another window read, where anything is kept. */
	| {
			readonly kind: 'ticketRecalled';
			readonly ticket: TicketRef;
			readonly old: ReadOnce<Ticket> | undefined;
			readonly error: unknown;
	  }
	/** The forge does not show it to this account, or has it no more. */
	| { readonly kind: 'ticketRefused'; readonly ticket: TicketRef };

/** When tickets were changed last, by their numbers: those that are known as of then are still so. */
export interface TicketsConfirmed {
	readonly kind: 'ticketsConfirmed';
	readonly tracker: TrackerRef;
	readonly changedMs: ReadonlyMap<number, number>;
	readonly stamp: number;
	readonly atMs: number;
}

/** A page of tickets, or a part of a large one: `isLast` says that no part of it follows. */
export interface TicketsRead {
	readonly kind: 'ticketsRead';
	readonly tracker: TrackerRef;
	readonly page: TicketPage;
	/** Somebody looks for the first time and is told by the answer; this page was wanted; or it is one of all. */
	readonly wanted: 'look' | 'page' | 'all';
	readonly isLast: boolean;
}

/** What is different, as narrowly as it is known. */
export type TicketStoreChange =
	/** Trackers came or went. */
	| { readonly kind: 'trackers' }
	/** A tracker itself or the list of its tickets. */
	| { readonly kind: 'tracker'; readonly tracker: TrackerRef }
	/** A ticket or its timeline. */
	| { readonly kind: 'ticket'; readonly ticket: TicketRef };

/** Text that was sent, and where to: `ticketId` is that of the ticket it stands in, unless that is a new one. */
export interface SentText {
	readonly tracker: TrackerRef;
	readonly ticketId: number | undefined;
	readonly text: string;
}
