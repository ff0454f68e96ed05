import type { Clock } from '../../base/clock.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { refOfTicket, type TicketRef } from '../../forge/ticket.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import type { OwnerName } from '../../forge/user.ts';
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
	/** `~name` of the account. */
	readonly me: OwnerName;
	readonly clock: Clock;
	/** Something happened to a ticket, so that its timeline has to be read. */
	readonly due: (ref: TicketRef) => void;
}

/** What somebody chose of trackers that the index does not read. */
export interface ChosenTickets extends Disposable {
	hasTracker(ref: TrackerRef): boolean;
	/** The ticket itself, or all of its tracker. */
	hasTicket(ref: TicketRef): boolean;
	/** Something happened to tickets of a chosen tracker at that time: its newest page is due now, unless it was asked for since. */
	newsDue(ref: TrackerRef, sinceMs: number): void;
}

/** What is asked for by itself. */
interface Polled {
	readonly watched: Watched;
	readonly times: PollTimes;
	/** When it was last asked for; milliseconds since 1970. */
	askedMs: number;
	/** Answers whether there was something new. */
	readonly ask: (signal: AbortSignal) => Promise<boolean>;
}

/** Beside the timelines of tickets that the index found. */
const share = 0.9;

/**
 * Asks for the trackers and single tickets that somebody chose and that the index does not read, because they are neither
 * one's own nor followed: of a tracker its newest page, and in turn another one; of a ticket the ticket, one request.
 */
export function chosenTickets(parts: ChosenTicketsParts): ChosenTickets {
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

	/** What is chosen now and not read by the index; the others are forgotten. */
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

	/** The store tells of each ticket that is different, and whoever watches tickets hears it there. */
	async function askTracker(ref: TrackerRef, signal: AbortSignal): Promise<boolean> {
		const isNew = await store.rereadTickets(ref, undefined, signal);
		const list = store.ticketList(ref);
		const from = list.gap() ?? pageToReread(list, { nowMs: clock.nowMs() })?.from;
		return (from !== undefined && (await store.rereadTickets(ref, from, signal))) || isNew;
	}

	async function askTicket(ref: TicketRef, signal: AbortSignal): Promise<boolean> {
		// The store counts the pages that it asks for, and no single tickets.
		background.budget.spend();
		const ticket = await store.renewTicket(ref, signal);
		const known = inbox.position(ticketPosition(ref));
		if (known === undefined) {
			// What is there when it is seen for the first time is no news.
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
		hasTracker: (ref) => wantedNamed(nameOf(ref)) !== undefined,
		hasTicket: (ref) => (wantedNamed(nameOf(ref.tracker)) ?? wantedNamed(ticketPosition(ref))) !== undefined,
		newsDue(ref, sinceMs) {
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
