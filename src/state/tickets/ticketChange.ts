import type { TicketRef } from '../../forge/ticket.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import type { RememberedTickets } from './rememberedTickets.ts';
import type { RememberedTrackers } from './trackerShelf.ts';

/** Not newer but older: what was known when the window was closed. It never replaces what is known. */
export type RememberedNews =
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
