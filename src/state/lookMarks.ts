import type { Event } from '../base/event.ts';
import type { Ticket, TicketRef } from '../forge/ticket.ts';
import type { TrackerRef } from '../forge/tracker.ts';
import type { Mark } from '../search/indexedTicket.ts';

/**
 * What the account has looked at. When a tracker is seen for the first time everything in it counts as looked at;
 * what comes or changes later is marked until it is opened or marked as read. Own writes mark nothing.
 */
export interface LookMarks {
	/** Needs no request. */
	mark(ticket: Ticket): Mark | undefined;
	/** Newest event that was there at the last look; `undefined` before the first. For "new" in a timeline. */
	lastSeenEventId(ref: TicketRef): number | undefined;
	/** The ticket was looked at, as it is now; `newestEventId` where the timeline was read. */
	look(ticket: Ticket, newestEventId: number | undefined): void;
	/** Somebody wants to be reminded of it. */
	markUnread(ticket: Ticket): void;
	markAllRead(tracker: TrackerRef, tickets: readonly Ticket[]): void;
	/**
	 * What a tracker is known to hold. The first call for a tracker draws the line: all of it, and all that is older than
	 * now, counts as looked at. Later calls cost nothing, so it may be called whenever tickets came.
	 */
	see(tracker: TrackerRef, tickets: () => readonly Ticket[]): void;
	readonly onDidChange: Event<readonly TicketRef[] | 'all'>;
}
