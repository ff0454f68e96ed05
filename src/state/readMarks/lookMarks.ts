import type { Event } from '../../base/event.ts';
import type { Ticket, TicketRef } from '../../forge/ticket.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import type { Mark } from '../../forge/mark.ts';

/**
 * What the account has looked at, of things of one kind: tickets of trackers, conversations or patchsets of lists. When a
 * place is seen for the first time everything in it counts as looked at; what comes or changes later is marked until it is
 * opened or marked as read. Own writes mark nothing.
 */
export interface LookMarks<Thing = Ticket, Ref = TicketRef, Place = TrackerRef> {
	/** Needs no request. */
	mark(thing: Thing): Mark | undefined;
	/** Newest event or mail that was there at the last look; `undefined` before the first. For "new" in a timeline. */
	lastSeenEventId(ref: Ref): number | undefined;
	/** It was looked at, as it is now; `newestEventId` where its timeline or its mails were read. */
	look(thing: Thing, newestEventId: number | undefined): void;
	/** Somebody wants to be reminded of it. */
	markUnread(thing: Thing): void;
	markAllRead(place: Place, things: readonly Thing[]): void;
	/**
	 * What a place is known to hold. The first call for a place draws the line: all of it, and all that is older than now,
	 * counts as looked at. Later calls cost nothing, so it may be called whenever things came.
	 */
	see(place: Place, things: () => readonly Thing[]): void;
	readonly onDidChange: Event<readonly Ref[] | 'all'>;
}
