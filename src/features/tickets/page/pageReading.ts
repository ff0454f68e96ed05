import { isAbort } from '@forge-desk/base/abort.ts';
import type { TicketEvent, TicketRef } from 'sourcehut/port/ticket.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { PageLink } from '../../../editor/pages/pageHost.ts';
import type { TicketProtocol } from '../../../pages/protocol/ticketProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import type { Listing } from '../../../store/shared/listing.ts';

/** Page limit of `backTo`. */
const mostPages = 20;

/**
 * Loads one page; the timeline and label colours arrive later. Loads back to the link's entry, as in `backTo`.
 * `changed`: a load succeeded or failed.
 */
export function pageReading(
	link: PageLink<TicketProtocol>,
	ref: TicketRef,
	problems: Problems,
	changed: () => Promise<void>,
) {
	const { signal } = link;
	let failure: string | undefined;
	let refusal: { readonly error: unknown } | undefined;
	let upTo = link.entry;
	let isReadingBack = false;

	function quietly(reading: Promise<unknown>): void {
		reading.then(changed, problems.log);
	}

	/** Fails only if the ticket stays unknown, even from other windows. */
	async function ticket({ tickets }: Connection): Promise<void> {
		try {
			await tickets.renewTicket(ref, signal);
		} catch (error) {
			if (!tickets.knownTicket(ref)) {
				throw error;
			}
			problems.log(error);
		}
	}

	/** The forge refuses a ticket that came from another window's cache: the next load fails. */
	function refused(error: unknown): void {
		refusal = { error };
		link.tell('reload', undefined);
	}

	async function timeline({ tickets }: Connection): Promise<void> {
		const wasKnown = tickets.knownEvents(ref) !== undefined;
		try {
			await (wasKnown ? tickets.renewEvents(ref, signal) : tickets.events(ref, signal));
		} catch (error) {
			if (isAbort(error)) {
				return;
			}
			problems.log(error);
			failure = problems.explain(error).message;
		}
		await changed();
		if (failure === undefined) {
			await readBack(tickets);
		}
	}

	/** A caller may request another event meanwhile. */
	async function readBack(tickets: Connection['tickets']): Promise<void> {
		if (isReadingBack) {
			return;
		}
		isReadingBack = true;
		try {
			for (let pages = 0; pages < mostPages && isBeyond(upTo, tickets.knownEvents(ref)); pages++) {
				await tickets.moreEvents(ref, signal);
				await changed();
			}
		} catch (error) {
			problems.log(error);
		} finally {
			isReadingBack = false;
		}
	}

	async function newest({ tickets }: Connection): Promise<boolean> {
		const isOld = tickets.ticketBefore(ref) !== undefined;
		const before = tickets.knownEvents(ref);
		const { items } = await (before ? tickets.renewEvents(ref, signal) : tickets.events(ref, signal));
		failure = undefined;
		const isNews = isOld || !tickets.knownTicket(ref) || items[0]?.id !== before?.items[0]?.id;
		if (isNews) {
			await tickets.renewTicket(ref, signal);
		}
		if (isNews || !before) {
			await changed();
		}
		return isNews;
	}

	return {
		/**
		 * Loads everything on the page. Resolves when the ticket is available: immediately from another window's cache,
		 * otherwise after one request.
		 */
		async all(connection: Connection) {
			const { tickets } = connection;
			const before = refusal;
			refusal = undefined;
			if (before) {
				return Promise.reject(before.error);
			}
			failure = undefined;
			// First, and all questions after it in one turn, so that they go together (docs/decisions/0028-questions-go-together.md).
			await tickets.recall(ref);
			const wasKnown = tickets.knownTicket(ref) !== undefined;
			const renewing = ticket(connection);
			void timeline(connection);
			if (wasKnown) {
				renewing.then(changed, refused);
			} else {
				await renewing;
			}
			quietly(tickets.trackers.labels(ref.tracker, signal));
			quietly(tickets.tracker(ref.tracker, signal));
			quietly(connection.writes.subscriptions?.read({ kind: 'ticket', ref }, signal) ?? Promise.resolve());
		},
		/**
		 * Loads the newest entries and retries failed parts. True if there was anything new; then it reloads the ticket
		 * too.
		 */
		async newest(connection: Connection) {
			const wasKnown = connection.tickets.knownTicket(ref) !== undefined;
			try {
				return await newest(connection);
			} catch (error) {
				if (wasKnown && !connection.tickets.knownTicket(ref)) {
					refused(error);
				}
				throw error;
			}
		},
		/** Loads the timeline back to this event, now or when a connection exists, up to a page limit. */
		backTo(event: number, connection: Connection | undefined) {
			upTo = event;
			if (connection) {
				void readBack(connection.tickets);
			}
		},
		/** Reads something that the page can do without. */
		quietly,
		/** Error of the timeline as a sentence. */
		timelineFailure: () => failure,
	};
}

/** True if the wanted event is older than the loaded part of the timeline. */
function isBeyond(event: number | undefined, known: Listing<TicketEvent> | undefined): boolean {
	return event !== undefined && known?.completeness.kind === 'more' && known.items.every(({ id }) => id > event);
}
