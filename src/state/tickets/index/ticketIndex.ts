import type { Event } from '../../../base/event.ts';
import type { TicketRef } from '../../../forge/ticket.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import type { IndexedTicket } from '../../../search/indexedTicket.ts';

/** How far a tracker's tickets are known. Times are milliseconds since 1970. */
export type IndexState =
	| { readonly kind: 'unread' }
	/** Some pages were read. `total`: what the server says, if it says. */
	| {
			readonly kind: 'partial';
			readonly known: number;
			readonly total: number | undefined;
			readonly checkedAtMs: number;
	  }
	/** All tickets are known; `checkedAtMs` is when the longest unchecked open ticket was last confirmed. */
	| { readonly kind: 'whole'; readonly known: number; readonly checkedAtMs: number }
	/** The server tells of no total and no end: more may exist. */
	| { readonly kind: 'unstated'; readonly known: number; readonly checkedAtMs: number };

/**
 * The tickets of all trackers of one account as far as they are known: filled page by page in the background within a
 * budget of requests per hour, kept on disk, and never asked for by a view that only looks.
 */
export interface TicketIndex {
	/** Own and followed trackers that are known now. Needs no request. */
	trackers(): readonly TrackerRef[];
	state(tracker: TrackerRef): IndexState;
	/** Everything known, newest number first. Needs no request, and says nothing of whether anybody looks. */
	tickets(tracker: TrackerRef): readonly IndexedTicket[];
	/** Somebody has this tracker or one of its tickets before their eyes now: its news are worth more for a while. */
	inUse(tracker: TrackerRef): void;
	/** When the forge last confirmed this ticket. */
	checkedAtMs(ref: TicketRef): number | undefined;
	/** Why the background reading rests, as far as people should know: out of budget until a time, or offline. */
	readonly pause: { readonly kind: 'budget'; readonly untilMs: number } | { readonly kind: 'offline' } | undefined;
	/** A tracker's tickets or state changed, many changes told at once. */
	readonly onDidChange: Event<readonly TrackerRef[]>;
	/** Reads everything of a tracker now, as when a person asks for it. Counts towards the budget but is not held back by it. */
	readWhole(tracker: TrackerRef, signal: AbortSignal): Promise<void>;
}
