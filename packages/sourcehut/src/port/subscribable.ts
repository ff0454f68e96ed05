import type { TicketRef } from './ticket.ts';
import type { TrackerRef } from './tracker.ts';

/** A tracker or ticket with e-mail notifications. */
export type Subscribable =
	| { readonly kind: 'tracker'; readonly ref: TrackerRef }
	| { readonly kind: 'ticket'; readonly ref: TicketRef };
