import type { Ticket, TicketEvent, TicketRef } from '../../forge/ticket.ts';
import type { Tracker, TrackerRef } from '../../forge/tracker.ts';
import type { RememberedTickets } from './rememberedTickets.ts';
import type { RememberedTrackers } from './trackerShelf.ts';

/** Something that is newer than what is known, whoever tells it: an answer to a command, a poll, a delivery. */
export type TicketNews =
	| { readonly kind: 'trackerChanged'; readonly tracker: Tracker }
	| { readonly kind: 'trackerDeleted'; readonly tracker: TrackerRef }
	/** `events`: what happened to it, where that is told with it. */
	| { readonly kind: 'ticketChanged'; readonly ticket: Ticket; readonly events?: readonly TicketEvent[] }
	| { readonly kind: 'eventsAdded'; readonly ticket: TicketRef; readonly events: readonly TicketEvent[] }
	/** Not newer but older: what was known when the window was closed. It never replaces what is known. */
	| ({ readonly kind: 'rememberedTrackers' } & RememberedTrackers)
	| ({ readonly kind: 'rememberedTickets' } & RememberedTickets);

/** What changed, as narrowly as it is known. */
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
