import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { maxOf } from '@forge-desk/base/longArrays.ts';
import { isRefused } from 'sourcehut/port/isAway.ts';
import { refOfTicket, type TicketRef, type Ticket, type TicketEvent } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { BackgroundTask } from '../background/backgroundLoop.ts';
import { schedule, type Schedule } from '../background/schedule.ts';
import type { InboxPosition } from '../inbox/inboxBook.ts';
import {
	isTicketDue,
	seenPosition,
	ticketPosition,
	seenUpToMs,
	standingPosition,
	standsAssigned,
	ticketNotices,
} from '../inbox/ticketNotices.ts';
import { watchedKey, type Watched } from '../inbox/watched.ts';
import { pageToReread } from '../tickets/index/rereadOrder.ts';
import { trackerKey } from '../tickets/trackerRefs.ts';
import { chosenPlaces, watchingOf } from './chosenPlaces.ts';
import { polling, pollWanted, type Polling } from './polling.ts';
import type { WatchContext } from './watchContext.ts';
import type { WatchReading } from './watchReadings.ts';

interface ChosenThing {
	readonly watched: Watched;
	readonly polling: Polling;
}

/**
 * Polls the trackers and single tickets that the user chose and the index does not read. A tracker costs its newest
 * page and, in turn, an older one. A ticket costs one request.
 */
function chosenTickets(context: WatchContext, timelineDue: (ref: TicketRef) => void) {
	const { tickets: store, index, inbox, background, me, clock } = context;
	const polled = new Map<string, ChosenThing>();
	const polls = pollWanted(context, wanted);

	/** Chosen things outside the index. Forgets the others. */
	function wanted(): readonly ChosenThing[] {
		const { trackers, tickets } = chosenPlaces(inbox);
		const indexed = new Set(index.trackers().map(placeOf));
		const apart = trackers.filter((ref) => !indexed.has(placeOf(ref)));
		const read = new Set([...indexed, ...apart.map(placeOf)]);
		const all = [
			...apart.map((ref) =>
				of({ kind: 'tracker', ref }, async (signal) => {
					// The store reports each changed ticket, and the ticket watch listens there.
					const isNew = await store.reads(ref).reread(undefined, signal);
					const list = store.ticketList(ref);
					const from = list.gap() ?? pageToReread(list, clock.nowMs())?.from;
					return (from !== undefined && (await store.reads(ref).reread(from, signal))) || isNew;
				}),
			),
			...tickets
				.filter(({ tracker }) => !read.has(placeOf(tracker)))
				.map((ref) => of({ kind: 'ticket', ref }, (signal) => askTicket(ref, signal))),
		];
		polled.clear();
		all.forEach((each) => polled.set(watchedKey(each.watched), each));
		return [...polled.values()];
	}

	function of(watched: Watched, ask: (signal: AbortSignal) => Promise<boolean>): ChosenThing {
		return (
			polled.get(watchedKey(watched)) ?? {
				watched,
				polling: polling(context, 'todo', async (signal) => ((await ask(signal)) ? 'news' : 'nothing')),
			}
		);
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
			timelineDue(ref);
		}
		return isDue;
	}

	function wantedNamed(name: string): ChosenThing | undefined {
		return wanted().find(({ watched }) => watchedKey(watched) === name);
	}

	return {
		hasTracker: (ref: TrackerRef) => wantedNamed(placeOf(ref)) !== undefined,
		/** True for a chosen ticket or tracker. */
		hasTicket: (ref: TicketRef) =>
			(wantedNamed(placeOf(ref.tracker)) ?? wantedNamed(ticketPosition(ref))) !== undefined,
		/** Schedules a read of the tracker's newest page, unless the last read began after `sinceMs`. */
		newsDue: (ref: TrackerRef, sinceMs: number) => wantedNamed(placeOf(ref))?.polling.due(sinceMs),
		dispose: () => polls.dispose(),
	};
}

/** A new permission may open the ticket without a change. */
const againMs = 24 * 3_600_000;

/** A ticket with changes since the last inbox read. */
interface DueTicket {
	readonly ref: TicketRef;
	/** The ticket's own time of the change. */
	readonly updatedMs: number;
	readonly times: Schedule;
	/** From a delivery. */
	isNamed: boolean;
}

/** Marks the position of a tracker once all its tickets and assignees are known. */
const wholeWord = 'whole';
/** Behind the newest pages of the index, which find the changes. */
const share = 0.95;
/**
 * Server times have whole seconds (docs/protocol.md#timestamps). A read within the second of a change could miss a
 * second change, so the read waits.
 */
const settledMs = 1100;
/** For longer timelines, entries cover the newest events. */
const mostPages = 5;

export type TicketWatch = ReturnType<typeof ticketWatch>;

/**
 * Adds ticket events to the inbox. The index finds changed tickets for free. Each timeline then takes one request in
 * most cases. A comparison with the stored inbox finds changes from before the window opened.
 */
export function ticketWatch(context: WatchContext) {
	const { tickets: store, index, inbox, background, readings, me, clock } = context;
	const owned = new Disposables();
	const due = new Map<string, DueTicket>();
	/** Tickets that the forge refused to this account, by position: deleted and forbidden ones. */
	const refusals = new Map<string, { readonly updatedMs: number; readonly untilMs: number }>();
	/** Ages of trackers without due tickets, by name. */
	const whole = new Map<string, Pick<WatchReading, 'readMs' | 'olderMs'>>();

	owned.add(
		index.onDidChange((trackers) => {
			look(trackers);
			readings.fire();
		}),
	);
	owned.add(
		readings.add(() =>
			index
				.trackers()
				.filter((ref) => inbox.choice(placeOf(ref)) !== 'nothing')
				.map((ref) => {
					const name = placeOf(ref);
					const reading = index.trackerReading(ref);
					const waiting = [...due.values()].filter(({ ref: { tracker } }) => placeOf(tracker) === name);
					const failedMs = maxOf([...waiting.map(({ times }) => times.failedMs), reading.failedMs ?? 0]);
					if (waiting.length === 0) {
						whole.set(name, { readMs: reading.readMs, olderMs: reading.olderMs });
					}
					return {
						watched: { kind: 'tracker', ref },
						...reading,
						// A tracker with due tickets has the age of its last moment without any.
						...(whole.get(name) ?? { readMs: undefined, olderMs: undefined }),
						isBusy: reading.isBusy || waiting.length > 0,
						...(failedMs > 0 ? { hasFailed: true, failedMs } : {}),
					};
				}),
		),
	);
	owned.add(
		inbox.onDidChange(({ areChoices }) => {
			if (areChoices) {
				look(index.trackers());
			}
		}),
	);
	owned.add(
		background.loop.add({
			tasks: () => [...due].map(([key, ticket]) => task(key, ticket)),
			hurry(why) {
				if (why === 'wish') {
					due.forEach(({ times }) => times.hurry(settledMs));
				}
			},
		}),
	);
	const chosen = owned.add(chosenTickets(context, note));
	look(index.trackers());

	/** Finds due tickets in memory, without a request. */
	function look(trackers: readonly TrackerRef[]): void {
		let isOneMore = false;
		for (const tracker of trackers) {
			const state = index.state(tracker).kind;
			if (state !== 'unread') {
				const known = index.tickets(tracker).map(({ ticket }) => ticket);
				const line = inbox.position(placeOf(tracker));
				const isWhole = line?.detail === wholeWord;
				if (line === undefined || (!isWhole && state !== 'partial')) {
					drawLine(tracker, known, state !== 'partial');
				}
				const before = due.size;
				addDue(tracker, known, isWhole);
				isOneMore ||= due.size > before;
			}
		}
		if (isOneMore) {
			background.loop.plan(clock.nowMs() + settledMs);
		}
	}

	/** The first look creates no news, and neither do present assignees. */
	function drawLine(tracker: TrackerRef, known: readonly Ticket[], isWhole: boolean): void {
		const before = inbox.position(placeOf(tracker));
		const newestMs = known.reduce((newest, { updatedMs }) => Math.max(newest, updatedMs), 0);
		const sinceMs = before?.sinceMs ?? seenUpToMs(newestMs, clock.nowMs());
		const standing = known
			.filter((ticket) => ticket.updatedMs <= sinceMs && standsAssigned(ticket, me))
			.map((ticket) => refOfTicket(ticket))
			.filter((ref) => inbox.position(ticketPosition(ref)) === undefined);
		inbox.add({
			entries: [],
			positions: new Map<string, InboxPosition>([
				[placeOf(tracker), { sinceMs, newestId: 0, detail: isWhole ? wholeWord : '' }],
				...standing.map((ref): [string, InboxPosition] => [ticketPosition(ref), standingPosition(sinceMs)]),
			]),
		});
	}

	function addDue(tracker: TrackerRef, known: readonly Ticket[], isWhole: boolean): void {
		const lineMs = inbox.position(placeOf(tracker))?.sinceMs ?? 0;
		for (const ticket of known) {
			const isNewlyAssigned = isWhole && ticket.assignees.length > 0;
			if (ticket.updatedMs > lineMs || isNewlyAssigned) {
				const ref = refOfTicket(ticket);
				const position = inbox.position(ticketPosition(ref));
				if (isTicketDue(ticket, { known: position, lineMs, me })) {
					note(ref);
				}
			}
		}
	}

	/** 0 for an unknown ticket. */
	function changedMs(ref: TicketRef): number {
		return store.knownTicket(ref)?.updatedMs ?? 0;
	}

	function note(ref: TicketRef, isNamed = false): void {
		const key = ticketPosition(ref);
		const known = due.get(key);
		const updatedMs = changedMs(ref);
		const refusal = refusals.get(key);
		const isRefusedYet = refusal && updatedMs <= refusal.updatedMs && clock.nowMs() < refusal.untilMs;
		if (known?.updatedMs !== updatedMs && !isRefusedYet) {
			const times = known?.times ?? schedule(clock, 0);
			times.dueMs = Math.max(times.dueMs, clock.nowMs() + settledMs);
			due.set(key, { ref, updatedMs, times, isNamed });
		}
		const now = due.get(key);
		if (now && isNamed) {
			now.isNamed = true;
		}
	}

	function task(key: string, ticket: DueTicket): BackgroundTask {
		return {
			dueMs: ticket.times.dueMs,
			share,
			cause: ticket.isNamed ? 'delivery' : 'poll',
			area: 'todo',
			// In an idle window, deliveries find most changes.
			isTold: true,
			async read(signal: AbortSignal) {
				if (changedMs(ticket.ref) !== ticket.updatedMs) {
					// The ticket changed during the read.
					note(ticket.ref, ticket.isNamed);
					return;
				}
				try {
					await read(ticket.ref, signal);
					refusals.delete(key);
				} catch (error) {
					if (!isRefused(error)) {
						throw error;
					}
					refusals.set(key, { updatedMs: ticket.updatedMs, untilMs: clock.nowMs() + againMs });
				}
				due.delete(key);
				// The ticket may have changed during the read.
				look([ticket.ref.tracker]);
				readings.fire();
			},
			failed() {
				ticket.times.failed();
				readings.fire();
			},
		};
	}

	async function read(ref: TicketRef, signal: AbortSignal): Promise<void> {
		const known = inbox.position(ticketPosition(ref));
		const line = inbox.position(placeOf(ref.tracker));
		// For a single watched ticket, the tracker may be unknown.
		const lineMs = line?.sinceMs ?? known?.sinceMs ?? 0;
		const usual = ref.tracker.owner === me ? 'everything' : 'concerns';
		const watching = watchingOf(inbox, ticketPosition(ref), placeOf(ref.tracker), usual);
		// Read the timeline after the ticket, so it covers the ticket's time.
		const ticket = store.knownTicket(ref);
		const newestId = known?.newestId ?? 0;
		let events: readonly TicketEvent[] = [];
		let isReached = watching === 'nothing';
		for (let pages = 0; pages < mostPages && !isReached; pages += 1) {
			background.budget.spend();
			const read = await store.rereadEvents(ref, pages === 0 ? 'renew' : 'more', signal);
			events = read.items;
			isReached =
				read.completeness.kind !== 'more' || events.some(({ id, createdMs }) => id <= newestId || createdMs <= lineMs);
		}
		if (ticket) {
			inbox.add(ticketNotices({ ticket, events, known, lineMs, isWhole: line?.detail === wholeWord, watching, me }));
		}
	}

	return {
		/**
		 * Reads the timeline after a change, whatever the ticket's time says: labels may leave it. False if the tracker is
		 * muted.
		 */
		timelineDue(ref: TicketRef) {
			look([ref.tracker]);
			const seen = inbox.position(ticketPosition(ref)) ?? inbox.position(placeOf(ref.tracker));
			const isFollowed = index.trackers().some((each) => trackerKey(each) === trackerKey(ref.tracker));
			// The first look comes before news.
			if (seen !== undefined && (isFollowed || chosen.hasTicket(ref))) {
				refusals.delete(ticketPosition(ref));
				note(ref, true);
				background.loop.plan();
			}
			return due.has(ticketPosition(ref));
		},
		/** Chosen trackers outside the index, with their hints. */
		chosen,
		dispose: () => owned.dispose(),
	};
}

/** Inbox name for the choice and position of a tracker. */
export function placeOf(tracker: TrackerRef): string {
	return watchedKey({ kind: 'tracker', ref: tracker });
}
