import { pageLooks } from '../../../editor/pages/livePage.ts';
import { isEventBy, type TicketRef } from 'sourcehut/port/ticket.ts';
import type { Connection } from '../../../store/connection.ts';

/** News on a ticket while its page is open. */
export type LastVisit = ReturnType<typeof lastVisit>;

/** Remembers the read position from before the page opened: entries that were new then stay marked. */
export function lastVisit({ readMarks: looks, tickets, me }: Connection, ref: TicketRef) {
	let seen = looks.lastSeenEventId(ref);
	const shownLooks = pageLooks();

	return {
		/** Oldest event that is new; the account's own are no news. */
		newFrom() {
			const since = seen;
			const news = since === undefined ? [] : (tickets.knownEvents(ref)?.items ?? []);
			return news.findLast((event) => event.id > (since ?? 0) && !isEventBy(event, me))?.id;
		},
		/**
		 * Marks the current state as seen. No-op while nothing changed since the last call, so that a manual "unread" mark
		 * survives.
		 */
		look() {
			const ticket = tickets.knownTicket(ref);
			// An own event can arrive before an earlier event by others with a lower id, so events by others count.
			const items = tickets.knownEvents(ref)?.items ?? [];
			const now = items.find((event) => !isEventBy(event, me)) ?? items.at(-1);
			if (!ticket || now === undefined) {
				return;
			}
			seen ??= now.id;
			// The timeline may be newer than the ticket, whose own time is then stale.
			const updatedMs = Math.max(ticket.updatedMs, now.createdMs);
			if (shownLooks.counts(now.id, updatedMs)) {
				looks.look({ ...ticket, updatedMs }, now.id);
			}
		},
		/** The page became visible: the next look counts all visible content. */
		shown: () => shownLooks.shown(),
	};
}
