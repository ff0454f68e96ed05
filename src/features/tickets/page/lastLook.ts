import { pageLooks } from '../../../editor/pages/pageLooks.ts';
import { isEventBy, type TicketEvent, type TicketRef } from '../../../forge/ticket.ts';
import type { Connection } from '../../../state/connection.ts';

/** What of a ticket is new to the account while its page is open. */
export interface LastLook {
	/** Oldest event that is new; the account's own are no news. */
	newFrom(): number | undefined;
	/** The page was looked at as it is now. Says nothing while that is as at the last look: a mark may be made by hand. */
	look(): void;
	/** The page came into view: the next look counts whatever there is to see. */
	shown(): void;
}

/** Remembers how far the account had looked when the page was opened: what was new then stays marked while it is open. */
export function lastLook({ readMarks: looks, tickets, me }: Connection, ref: TicketRef): LastLook {
	let seen = looks.lastSeenEventId(ref);
	const shownLooks = pageLooks();

	/**
	 * Up to which event the timeline was seen. One's own are there before those that others made while they were on their way,
	 * which have lower numbers; so what others made counts, and without any of that the oldest.
	 */
	function newest(): TicketEvent | undefined {
		const items = tickets.knownEvents(ref)?.items ?? [];
		return items.find((event) => !isEventBy(event, me)) ?? items.at(-1);
	}

	return {
		newFrom() {
			const since = seen;
			const news = since === undefined ? [] : (tickets.knownEvents(ref)?.items ?? []);
			return news.findLast((event) => event.id > (since ?? 0) && !isEventBy(event, me))?.id;
		},
		look() {
			const ticket = tickets.knownTicket(ref);
			const now = newest();
			if (!ticket || now === undefined) {
				return;
			}
			seen ??= now.id;
			// The timeline may have been read after the ticket, whose own time tells nothing of it then.
			const updatedMs = Math.max(ticket.updatedMs, now.createdMs);
			if (shownLooks.counts(now.id, updatedMs)) {
				looks.look({ ...ticket, updatedMs }, now.id);
			}
		},
		shown: () => shownLooks.shown(),
	};
}
