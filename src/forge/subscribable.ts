import type { TicketRef } from './ticket.ts';
import type { TrackerRef } from './tracker.ts';

/** A tracker or a ticket of which a forge may tell by mail. */
export type Subscribable =
	| { readonly kind: 'tracker'; readonly ref: TrackerRef }
	| { readonly kind: 'ticket'; readonly ref: TicketRef };
