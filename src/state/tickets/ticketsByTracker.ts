import type { Clock } from '../../base/clock.ts';
import type { TrackerApi } from '../../forge/forge.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import { commentRoom } from './commentTexts.ts';
import type { KeptTimelines } from './keptTimelines.ts';
import { trackerKey } from './trackerShelf.ts';
import { TrackerTickets, type TicketsChange } from './trackerTickets.ts';

export interface TicketsByTrackerParts {
	readonly api: TrackerApi;
	readonly clock: Clock;
	/** Called before every request for a page of tickets, or of all own trackers. */
	readonly asks?: () => void;
	/** Where tickets and their timelines outlive the window; absent where they are not to. */
	readonly disk?: KeptTimelines | undefined;
}

/** The tickets of every tracker that somebody asked for; all of an account share the room for comments. */
export class TicketsByTracker {
	readonly #parts: TicketsByTrackerParts;
	readonly #learnt: (tracker: TrackerRef, change: TicketsChange) => void;
	readonly #byKey = new Map<string, TrackerTickets>();
	readonly #room = commentRoom();

	/** `learnt` is called once after anything was learnt of tickets, with what is different now. */
	constructor(parts: TicketsByTrackerParts, learnt: (tracker: TrackerRef, change: TicketsChange) => void) {
		this.#parts = parts;
		this.#learnt = learnt;
	}

	/** Those of a tracker; nothing is known of one that nobody asked for before. */
	of(ref: TrackerRef): TrackerTickets {
		const key = trackerKey(ref);
		let tickets = this.#byKey.get(key);
		if (tickets === undefined) {
			const { api, clock, disk, asks = () => undefined } = this.#parts;
			tickets = new TrackerTickets({ ref, api, clock, disk, room: this.#room, asks, learnt: this.#learnt });
			this.#byKey.set(key, tickets);
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
