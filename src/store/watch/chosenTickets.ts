import type { Clock } from '../../base/clock.ts';
import { Disposables } from '../../base/lifecycle.ts';
import { refOfTicket, type TicketRef } from '../../forge/port/ticket.ts';
import type { TrackerRef } from '../../forge/port/tracker.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import type { Background, BackgroundTimes, BackgroundTask } from '../background/backgroundLoop.ts';
import { budgetedTask } from '../background/budgetedTask.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { isTicketDue, seenPosition, ticketPosition } from '../inbox/ticketNotices.ts';
import { watchedKey, type Watched } from '../inbox/watched.ts';
import type { TicketIndex } from '../tickets/index/ticketIndexer.ts';
import { pageToReread } from '../tickets/index/rereadOrder.ts';
import type { TicketStore } from '../tickets/ticketStore.ts';
import { chosenPlaces } from './chosenPlaces.ts';
import { pollTimes, readingOf, type PollTimes, type PollTimesParts } from './pollTimes.ts';
import type { ReadingSources } from './watchReadings.ts';

export interface ChosenTicketsParts extends PollTimesParts {
	readonly store: Pick<TicketStore, 'renewTicket' | 'rereadTickets' | 'ticketList'>;
	readonly index: Pick<TicketIndex, 'trackers'>;
	readonly inbox: Inbox;
	readonly background: Background;
	readonly readings: ReadingSources;
	readonly me: OwnerName;
	readonly clock: Clock;
	/** Schedules a read of the ticket's timeline. */
	readonly due: (ref: TicketRef) => void;
}

/** A thing with a poll schedule of its own. */
interface Polled {
	readonly watched: Watched;
	readonly times: PollTimes;
	/** Start of the last read, in milliseconds since 1970. */
	askedMs: number;
	/** Resolves to true if it found news. */
	readonly ask: (signal: AbortSignal) => Promise<boolean>;
}

/** Shared with the timelines of the index. */
const share = 0.9;

/** Chosen trackers and tickets outside the index. */
export type ChosenTickets = ReturnType<typeof chosenTickets>;

/**
 * Polls the trackers and single tickets that the user chose and the index does not read. A tracker costs its newest
 * page and, in turn, an older one. A ticket costs one request.
 */
export function chosenTickets(parts: ChosenTicketsParts) {
	const { store, index, inbox, background, readings, me, clock, due } = parts;
	const owned = new Disposables();
	const polled = new Map<string, Polled>();

	owned.add(inbox.onDidChange(({ areChoices }) => areChoices && background.loop.plan()));
	owned.add(
		background.loop.add({
			tasks: (times) => wanted().map((each) => task(times, each)),
			hurry: () => polled.forEach(({ times }) => times.hurry()),
			clockWentBack: (byMs) =>
				polled.forEach((each) => {
					each.times.clockWentBack(byMs);
					each.askedMs -= byMs;
				}),
		}),
	);

	owned.add(readings.add(() => wanted().map(({ watched, times }) => ({ watched, ...readingOf(times) }))));

	function task(times: BackgroundTimes, each: Polled): BackgroundTask {
		return budgetedTask(times, {
			budget: background.budget,
			share,
			wishedMs: each.times.dueMs,
			isApart: false,
			isTold: each.times.isTold,
			async read(signal) {
				each.askedMs = clock.nowMs();
				const isNew = await each.ask(signal);
				each.times.read(isNew, each.askedMs);
				readings.told();
			},
			failed(error) {
				each.times.failed(error);
				readings.told();
			},
		});
	}

	/** Chosen things outside the index. Forgets the others. */
	function wanted(): readonly Polled[] {
		const { trackers, tickets } = chosenPlaces(inbox);
		const indexed = new Set(index.trackers().map(nameOf));
		const apart = trackers.filter((ref) => !indexed.has(nameOf(ref)));
		const read = new Set([...indexed, ...apart.map(nameOf)]);
		const all = new Map<string, Polled>([
			...apart.map((ref): [string, Polled] => [
				nameOf(ref),
				of({ kind: 'tracker', ref }, (signal) => askTracker(ref, signal)),
			]),
			...tickets
				.filter(({ tracker }) => !read.has(nameOf(tracker)))
				.map((ref): [string, Polled] => [
					ticketPosition(ref),
					of({ kind: 'ticket', ref }, (signal) => askTicket(ref, signal)),
				]),
		]);
		polled.clear();
		all.forEach((each, name) => polled.set(name, each));
		return [...all.values()];
	}

	function of(watched: Watched, ask: Polled['ask']): Polled {
		return polled.get(watchedKey(watched)) ?? { watched, times: pollTimes(parts), askedMs: 0, ask };
	}

	/** The store reports each changed ticket, and the ticket watch listens there. */
	async function askTracker(ref: TrackerRef, signal: AbortSignal): Promise<boolean> {
		const isNew = await store.rereadTickets(ref, undefined, signal);
		const list = store.ticketList(ref);
		const from = list.gap() ?? pageToReread(list, { nowMs: clock.nowMs() })?.from;
		return (from !== undefined && (await store.rereadTickets(ref, from, signal))) || isNew;
	}

	async function askTicket(ref: TicketRef, signal: AbortSignal): Promise<boolean> {
		// The store counts pages but no single tickets.
		background.budget.spend();
		const ticket = await store.renewTicket(ref, signal);
		const known = inbox.position(ticketPosition(ref));
		if (known === undefined) {
			// The first look creates no news.
			const positions = new Map([[ticketPosition(refOfTicket(ticket)), seenPosition(ticket, me, clock.nowMs())]]);
			inbox.add({ entries: [], positions });
			return false;
		}
		const isDue = isTicketDue(ticket, { known, lineMs: known.sinceMs, me });
		if (isDue) {
			due(ref);
		}
		return isDue;
	}

	function wantedNamed(name: string): Polled | undefined {
		return wanted().find(({ watched }) => watchedKey(watched) === name);
	}

	return {
		hasTracker: (ref: TrackerRef) => wantedNamed(nameOf(ref)) !== undefined,
		/** True for a chosen ticket or tracker. */
		hasTicket: (ref: TicketRef) => (wantedNamed(nameOf(ref.tracker)) ?? wantedNamed(ticketPosition(ref))) !== undefined,
		/** Schedules a read of the tracker's newest page, unless the last read began after `sinceMs`. */
		newsDue(ref: TrackerRef, sinceMs: number) {
			const each = wantedNamed(nameOf(ref));
			if (each && each.askedMs <= sinceMs) {
				each.times.told();
				background.loop.plan();
			}
		},
		dispose: () => owned.dispose(),
	};
}

function nameOf(ref: TrackerRef): string {
	return watchedKey({ kind: 'tracker', ref });
}
