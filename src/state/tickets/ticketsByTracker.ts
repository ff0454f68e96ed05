import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import type { TrackerApi } from '../../forge/forge.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import { commentRoom } from './commentTexts.ts';
import type { KeptTimelines } from './keptTimelines.ts';
import type { ReadingOfTracker } from './ticketChange.ts';
import { trackerKey } from './trackerShelf.ts';
import { TrackerTickets, type TimelineRoom } from './trackerTickets.ts';

export interface TicketsByTrackerParts {
	readonly api: TrackerApi;
	readonly clock: Clock;
	/** Called before every request for a page of tickets, or of all own trackers. */
	readonly asks?: () => void;
	/** Where tickets and their timelines outlive the window; absent where they are not to. */
	readonly disk?: KeptTimelines | undefined;
}

/** Timelines that stay known of those that only the background read. */
const mostTimelines = 100;

/** The tickets of every tracker that somebody asked for; all of an account share the room for comments. */
export class TicketsByTracker {
	readonly #parts: TicketsByTrackerParts;
	readonly #arrived: (reading: ReadingOfTracker) => void;
	readonly #byKey = new Map<string, TrackerTickets>();
	readonly #room = commentRoom();
	readonly #timelineRoom: TimelineRoom = new LRUCache<string, () => void>({
		max: mostTimelines,
		dispose: (release, _, reason) => (reason === 'evict' ? release() : undefined),
	});

	/** `arrived` takes in what was read, by `take` of the tracker's tickets. */
	constructor(parts: TicketsByTrackerParts, arrived: (reading: ReadingOfTracker) => void) {
		this.#parts = parts;
		this.#arrived = arrived;
	}

	/** Those of a tracker; nothing is known of one that nobody asked for before. */
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
				// What comes of a tracker that is gone is taken in by nobody.
				arrived: (reading) => this.#byKey.get(key) === made && this.#arrived(reading),
			});
			tickets = made;
			this.#byKey.set(key, made);
		}
		return tickets;
	}

	/** Those of a tracker that somebody asked for. */
	known(ref: TrackerRef): TrackerTickets | undefined {
		return this.#byKey.get(trackerKey(ref));
	}

	/** The tracker is gone. */
	drop(ref: TrackerRef): void {
		this.known(ref)?.close();
		this.#byKey.delete(trackerKey(ref));
	}

	/** The next look at any list asks again. */
	resetAll(): void {
		for (const { reads } of this.#byKey.values()) {
			reads.reset();
		}
	}

	/** Gives up everything that is under way. */
	close(): void {
		for (const tickets of this.#byKey.values()) {
			tickets.close();
		}
	}
}
