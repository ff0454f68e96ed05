import { isAbort } from '../../../base/abort.ts';
import type { TicketRef } from '../../../forge/ticket.ts';
import type { Problems } from '../../../editor/problems.ts';
import type { Connection } from '../../../state/connection.ts';

/** What reading for a page needs. */
export interface PageReadingParts {
	readonly ref: TicketRef;
	readonly problems: Problems;
	/** The timeline is read back to this event, as far as is bearable. */
	readonly upTo?: number | undefined;
	/** Something was read, or could not be. */
	readonly changed: () => Promise<void>;
	/** Ends with the page. */
	readonly signal: AbortSignal;
}

/** What one page reads of the forge. */
export interface PageReading {
	/** Reads all that a page shows. Resolves when the ticket is known, after one request at most. */
	all(connection: Connection): Promise<void>;
	/**
	 * Reads what is newest, and what could not be read before. True when there was anything; then the ticket itself was
	 * read, too.
	 */
	newest(connection: Connection): Promise<boolean>;
	/** Reads something that the page can do without. */
	quietly(reading: Promise<unknown>): void;
	/** Why the timeline could not be read, as a sentence. */
	timelineFailure(): string | undefined;
}

/** More of a timeline is not read to show one event of it. */
const mostPages = 20;

/** Reads for one page: the timeline and the labels' colours come when they come. */
export function pageReading({ ref, problems, upTo, changed, signal }: PageReadingParts): PageReading {
	let failure: string | undefined;

	function quietly(reading: Promise<unknown>): void {
		reading.then(changed, (error: unknown) => problems.log(error));
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
		if (upTo !== undefined && failure === undefined) {
			await readBack(tickets, upTo).catch((error: unknown) => (isAbort(error) ? undefined : problems.log(error)));
		}
	}

	async function readBack(tickets: Connection['tickets'], event: number): Promise<void> {
		let listing = tickets.knownEvents(ref);
		for (let pages = 0; pages < mostPages && listing?.completeness.kind === 'more'; pages++) {
			if (listing.items.some(({ id }) => id <= event)) {
				return;
			}
			listing = await tickets.moreEvents(ref, signal);
			await changed();
		}
	}

	return {
		async all(connection) {
			const { tickets } = connection;
			failure = undefined;
			const wasKnown = tickets.knownTicket(ref) !== undefined;
			const renewing = tickets.renewTicket(ref, signal);
			void timeline(connection);
			if (wasKnown) {
				quietly(renewing);
			} else {
				await renewing;
			}
			quietly(tickets.labels(ref.tracker, signal));
			quietly(tickets.tracker(ref.tracker, signal));
		},
		async newest({ tickets }) {
			const before = tickets.knownEvents(ref);
			const { items } = await (before ? tickets.renewEvents(ref, signal) : tickets.events(ref, signal));
			failure = undefined;
			const isNews = !tickets.knownTicket(ref) || items[0]?.id !== before?.items[0]?.id;
			if (isNews) {
				await tickets.renewTicket(ref, signal);
			}
			if (isNews || !before) {
				await changed();
			}
			return isNews;
		},
		quietly,
		timelineFailure: () => failure,
	};
}
