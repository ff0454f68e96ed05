import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import type { TrackerApi } from '../../forge/port/forge.ts';
import type { TrackerRef } from '../../forge/port/tracker.ts';
import { commentRoom } from './commentTexts.ts';
import type { KeptTimelines } from './keptTimelines.ts';
import type { ReadingOfTracker } from './ticketChange.ts';
import { trackerKey } from './trackerShelf.ts';
import { TrackerTickets, type TimelineRoom } from './trackerTickets.ts';

export interface TicketsByTrackerParts {
	readonly api: TrackerApi;
	readonly clock: Clock;
	/** Called before each page request for tickets or own trackers. */
	readonly asks?: () => void;
	/** Disk cache; absent when nothing may be stored. */
	readonly disk?: KeptTimelines | undefined;
}

/** Number of timelines kept for background reads. */
const mostTimelines = 100;

/** Tickets of all trackers in use. One comment quota for the whole account. */
export class TicketsByTracker {
	readonly #parts: TicketsByTrackerParts;
	readonly #arrived: (reading: ReadingOfTracker) => void;
	readonly #byKey = new Map<string, TrackerTickets>();
	readonly #room = commentRoom();
	readonly #timelineRoom: TimelineRoom = new LRUCache<string, () => void>({
		max: mostTimelines,
		dispose: (release, _, reason) => (reason === 'evict' ? release() : undefined),
	});

	/** `arrived`: called with each reading; apply it with the tracker's `take`. */
	constructor(parts: TicketsByTrackerParts, arrived: (reading: ReadingOfTracker) => void) {
		this.#parts = parts;
		this.#arrived = arrived;
	}

	/** Creates an empty entry for an unknown tracker. */
	of(ref: TrackerRef): TrackerTickets {
		const key = trackerKey(ref);
		let tickets = this.#byKey.get(key);
		if (tickets === undefined) {
			const { api, clock, disk, asks = () => undefined } = this.#parts;
			const made: TrackerTickets = new TrackerTickets({
				ref,
				api,
				clock,
				disk,
				room: this.#room,
				timelineRoom: this.#timelineRoom,
				asks,
				// Drops late responses for a removed tracker.
				arrived: (reading) => this.#byKey.get(key) === made && this.#arrived(reading),
			});
			tickets = made;
			this.#byKey.set(key, made);
		}
		return tickets;
	}

	/** `undefined` before the first `of`. */
	known(ref: TrackerRef): TrackerTickets | undefined {
		return this.#byKey.get(trackerKey(ref));
	}

	/** Removes a deleted tracker. */
	drop(ref: TrackerRef): void {
		this.known(ref)?.close();
		this.#byKey.delete(trackerKey(ref));
	}

	/** The next read of any list asks the forge. */
	resetAll(): void {
		for (const { reads } of this.#byKey.values()) {
			reads.reset();
		}
	}

	/** Aborts all requests in progress. */
	close(): void {
		for (const tickets of this.#byKey.values()) {
			tickets.close();
		}
	}
}
