import type { Ticket } from '../../forge/ticket.ts';
import type { Label, Tracker, TrackerRef } from '../../forge/tracker.ts';
import type { KnownComments } from './commentTexts.ts';
import type { KeptCursor } from './ticketCursors.ts';
import type { Listing } from '../shared/listing.ts';
import type { NumberRange } from '../shared/numberRanges.ts';

/** A ticket as it was known when the window was closed. */
export interface RememberedTicket {
	readonly ticket: Ticket;
	readonly checkedAtMs: number;
	readonly comments: KnownComments | undefined;
}

/** A part of a tracker's tickets as it was known when the window was closed. */
export interface RememberedTickets {
	readonly tracker: TrackerRef;
	readonly tickets: readonly RememberedTicket[];
	/** Which numbers were covered by pages. */
	readonly covered: readonly NumberRange[];
	/** Where the pages of a server end at which it lets us go on. */
	readonly cursors?: readonly KeptCursor[];
	/** The server told of no end. */
	readonly isUnstated: boolean;
}

/** What is known of trackers when the window is closed. */
export interface RememberedTrackers {
	/** One's own; `undefined` when they were never read. */
	readonly own: Listing<Tracker> | undefined;
	readonly others: readonly Tracker[];
	readonly labels: readonly { readonly tracker: TrackerRef; readonly labels: readonly Label[] }[];
}
