import type { Ticket } from '../../forge/port/ticket.ts';
import type { Label, Tracker, TrackerRef } from '../../forge/port/tracker.ts';
import type { KnownComments } from './commentTexts.ts';
import type { KeptCursor } from './ticketCursors.ts';
import type { Listing } from '../shared/listing.ts';
import type { NumberRange } from '../shared/numberRanges.ts';

/** A ticket in the disk cache. */
export interface RememberedTicket {
	readonly ticket: Ticket;
	readonly checkedAtMs: number;
	readonly comments: KnownComments | undefined;
}

/** A segment of a tracker's tickets in the disk cache. */
export interface RememberedTickets {
	readonly tracker: TrackerRef;
	readonly tickets: readonly RememberedTicket[];
	/** Number ranges covered by pages. */
	readonly covered: readonly NumberRange[];
	/** Cursors at the ends of pages. */
	readonly cursors?: readonly KeptCursor[];
	/** The server reported no end of the list. */
	readonly isUnstated: boolean;
}

export interface TrackerLabels {
	readonly tracker: TrackerRef;
	readonly labels: readonly Label[];
	/** The forge lists only some of them. */
	readonly isPart?: true;
}

/** Trackers and labels in the disk cache. */
export interface RememberedTrackers {
	/** `undefined` before the first read. */
	readonly own: Listing<Tracker> | undefined;
	readonly others: readonly Tracker[];
	readonly labels: readonly TrackerLabels[];
}
