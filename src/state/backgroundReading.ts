import { isAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { Emitter, type Event } from '../base/event.ts';
import { Disposables, onDispose, type Disposable } from '../base/lifecycle.ts';
import { isForgeError } from '../forge/forgeError.ts';
import type { TrackerRef } from '../forge/tracker.ts';
import { earliest } from './earliest.ts';
import type { RequestBudget } from './requestBudget.ts';
import { pageToReread } from './rereadOrder.ts';
import { restAfter } from './restAfter.ts';
import type { TicketIndex } from './ticketIndex.ts';
import type { TicketStore } from './ticketStore.ts';
import { trackerKey } from './trackerShelf.ts';

/** Whether anybody is there to see what is read. */
export interface Presence {
	isThere(): boolean;
	readonly onDidChange: Event<void>;
}

export interface BackgroundReadingParts {
	readonly store: TicketStore;
	readonly budget: RequestBudget;
	readonly presence: Presence;
	readonly clock: Clock;
}

/** Reads tickets while nobody waits for them: one request at a time, within the budget. */
export interface BackgroundReading extends Disposable {
	readonly pause: TicketIndex['pause'];
	readonly onDidPause: Event<void>;
	/** Somebody looks at a tracker: its news are worth more now. */
	used(tracker: TrackerRef): void;
}

interface Tracked {
	readonly ref: TrackerRef;
	usedMs: number;
	/** When the newest page is due. */
	newsMs: number;
	newsEveryMs: number;
	restUntilMs: number;
	failures: number;
	/** When a page of its own was last due, so that the search for one is not made each time. */
	rereadMs: number;
}

interface Task {
	/** When it may run at the earliest. */
	readonly atMs: number;
	readonly tracked: Tracked | undefined;
	readonly from: number | undefined;
	readonly isNews: boolean;
	/** Waits for room in the budget and for nothing else. */
	readonly waitsForBudget: boolean;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/** Views go first when a window opens. */
const startMs = 1500;
/** Between two pages of a long list. */
const fillPauseMs = 50;
/** News of a tracker that somebody looks at, and how rarely at most when there are none. */
const newsMs = minuteMs;
const mostNewsMs = 15 * minuteMs;
const newsGrowth = 1.5;
/** A tracker counts as looked at this long. */
const inUseMs = 10 * minuteMs;
/** How long reading goes on when nobody is there. */
const goesOnMs = 5 * minuteMs;
const firstOfflineMs = 15 * secondMs;
const mostOfflineMs = 10 * minuteMs;
/** Shares of the budget: filling leaves room for re-reading, and that for news. */
const shares = { fill: 0.8, reread: 0.9, news: 1 };

export function backgroundReading({ store, budget, presence, clock }: BackgroundReadingParts): BackgroundReading {
	const owned = new Disposables();
	const paused = owned.add(new Emitter<void>());
	const ending = new AbortController();
	const trackers = new Map<string, Tracked>();
	const startedMs = clock.nowMs();
	let ownMs = startedMs + startMs;
	let restUntilMs = startedMs + startMs;
	let lastReadMs = 0;
	let latestMs = startedMs;
	let offline = 0;
	let awayMs: number | undefined;
	let pause: TicketIndex['pause'];
	let timer: Disposable | undefined;
	let isRunning = false;

	owned.add(onDispose(() => ending.abort()));
	owned.add(onDispose(() => timer?.dispose()));
	owned.add(presence.onDidChange(noteViewer));
	owned.add(store.onDidChange(({ kind }) => kind === 'ticket' || plan()));
	owned.add(store.onDidLearn(() => offline > 0 && !isRunning && cameBack()));
	noteViewer();

	/** Somebody else reached the forge. */
	function cameBack(): void {
		offline = 0;
		restUntilMs = clock.nowMs();
		plan();
	}

	function noteViewer(): void {
		if (!presence.isThere()) {
			awayMs ??= clock.nowMs();
		} else if (awayMs !== undefined) {
			const wasLong = clock.nowMs() - awayMs > goesOnMs;
			awayMs = undefined;
			for (const tracked of wasLong ? trackers.values() : []) {
				hurry(tracked);
			}
		}
		plan();
	}

	function trackedOf(ref: TrackerRef): Tracked {
		const key = trackerKey(ref);
		let tracked = trackers.get(key);
		if (tracked === undefined) {
			const nowMs = clock.nowMs();
			// What is remembered from another day is asked for at once; what a view has just read is news enough.
			const isFresh = nowMs - newestCheckMs(ref) < newsMs;
			tracked = {
				ref,
				usedMs: 0,
				newsMs: isFresh ? nowMs + newsMs : nowMs,
				newsEveryMs: newsMs,
				restUntilMs: 0,
				failures: 0,
				rereadMs: 0,
			};
			trackers.set(key, tracked);
		}
		return tracked;
	}

	function newestCheckMs(ref: TrackerRef): number {
		const list = store.ticketList(ref);
		const newest = list.indexed()[0]?.ticket.id;
		return (newest === undefined ? undefined : list.checkedAtMs(newest)) ?? 0;
	}

	function hurry(tracked: Tracked): void {
		tracked.newsEveryMs = newsMs;
		tracked.newsMs = Math.min(tracked.newsMs, Math.max(clock.nowMs(), newestCheckMs(tracked.ref) + newsMs));
	}

	/** Everything that could be done, each with its time. What comes first in this order goes first when several are due. */
	function tasks(): readonly Task[] {
		const wanted = new Map(store.knownTrackers().map((ref) => [trackerKey(ref), ref]));
		for (const key of trackers.keys()) {
			if (!wanted.has(key)) {
				trackers.delete(key);
			}
		}
		const all = Array.from(wanted.values(), trackedOf).sort((a, b) => b.usedMs - a.usedMs);
		return [ownTask(), ...all.map(newsTask), ...all.map(fillTask), ...all.map(rereadTask)].filter(
			(each) => each !== undefined,
		);
	}

	function ownTask(): Task {
		return task({ dueMs: ownMs, share: shares.news, tracked: undefined, from: undefined });
	}

	function newsTask(tracked: Tracked): Task | undefined {
		const isUnread = store.ticketList(tracked.ref).covered.length === 0;
		return isUnread
			? task({ dueMs: lastReadMs + fillPauseMs, share: shares.fill, tracked, from: undefined })
			: task({ dueMs: tracked.newsMs, share: shares.news, tracked, from: undefined });
	}

	function fillTask(tracked: Tracked): Task | undefined {
		const gap = store.ticketList(tracked.ref).gap();
		return gap === undefined
			? undefined
			: task({ dueMs: lastReadMs + fillPauseMs, share: shares.fill, tracked, from: gap });
	}

	function rereadTask(tracked: Tracked): Task | undefined {
		const nowMs = clock.nowMs();
		// Spread over the hour, and not even looked for more often.
		const dueMs = Math.max(tracked.rereadMs, lastReadMs + hourMs / Math.max(1, budget.perHour()));
		if (dueMs > nowMs) {
			return task({ dueMs, share: shares.reread, tracked, from: undefined });
		}
		const due = pageToReread(store.ticketList(tracked.ref), nowMs);
		if (due === undefined) {
			tracked.rereadMs = nowMs + minuteMs;
			return task({ dueMs: tracked.rereadMs, share: shares.reread, tracked, from: undefined });
		}
		return { ...task({ dueMs, share: shares.reread, tracked, from: due.from }), isNews: due.from === undefined };
	}

	function task(wish: {
		readonly dueMs: number;
		readonly share: number;
		readonly tracked: Tracked | undefined;
		readonly from: number | undefined;
	}): Task {
		const readyMs = budget.readyAtMs(wish.share);
		const dueMs = Math.max(wish.dueMs, restUntilMs, wish.tracked?.restUntilMs ?? 0);
		return {
			atMs: Math.max(dueMs, readyMs),
			tracked: wish.tracked,
			from: wish.from,
			isNews: wish.from === undefined,
			waitsForBudget: readyMs > dueMs + secondMs && dueMs <= clock.nowMs() + secondMs,
		};
	}

	function isAway(): boolean {
		return awayMs !== undefined && clock.nowMs() - awayMs >= goesOnMs;
	}

	/** When the clock was set back, what waits for a time waits no longer than it would have. */
	function followClock(): void {
		const nowMs = clock.nowMs();
		const backMs = Math.max(0, latestMs - nowMs);
		latestMs = nowMs;
		if (backMs === 0) {
			return;
		}
		ownMs -= backMs;
		restUntilMs -= backMs;
		lastReadMs -= backMs;
		awayMs = awayMs === undefined ? undefined : awayMs - backMs;
		for (const tracked of trackers.values()) {
			tracked.usedMs -= backMs;
			tracked.newsMs -= backMs;
			tracked.restUntilMs -= backMs;
			tracked.rereadMs -= backMs;
		}
	}

	function plan(): void {
		timer?.dispose();
		timer = undefined;
		followClock();
		if (isRunning || ending.signal.aborted || isAway()) {
			return;
		}
		const all = tasks();
		const next = earliest(all);
		tell(all);
		if (next !== undefined && Number.isFinite(next.atMs)) {
			timer = clock.after(Math.max(0, next.atMs - clock.nowMs()), () => void run());
		}
	}

	function tell(all: readonly Task[]): void {
		const before = pause;
		const held = earliest(all.filter(({ waitsForBudget, atMs }) => waitsForBudget && Number.isFinite(atMs)));
		pause = held && { kind: 'budget', untilMs: held.atMs };
		if (offline > 0) {
			pause = { kind: 'offline' };
		}
		if (before?.kind !== pause?.kind) {
			paused.fire();
		}
	}

	async function run(): Promise<void> {
		followClock();
		const next = earliest(tasks());
		if (isRunning || isAway() || next === undefined || next.atMs > clock.nowMs()) {
			return plan();
		}
		isRunning = true;
		try {
			await read(next);
			offline = 0;
		} catch (error) {
			failed(next, error);
		} finally {
			isRunning = false;
			lastReadMs = clock.nowMs();
			plan();
		}
	}

	async function read({ tracked, from, isNews }: Task): Promise<void> {
		if (tracked === undefined) {
			await store.renewOwnTrackers(ending.signal);
			ownMs = clock.nowMs() + hourMs;
			return;
		}
		const nowMs = clock.nowMs();
		if (isNews) {
			tracked.newsMs = nowMs + tracked.newsEveryMs;
		}
		const isNew = await store.rereadTickets(tracked.ref, from, ending.signal);
		tracked.failures = 0;
		if (isNews) {
			const isInUse = nowMs - tracked.usedMs < inUseMs;
			tracked.newsEveryMs = isNew && isInUse ? newsMs : Math.min(mostNewsMs, tracked.newsEveryMs * newsGrowth);
			tracked.newsMs = clock.nowMs() + (isInUse ? tracked.newsEveryMs : mostNewsMs);
		}
	}

	function failed({ tracked }: Task, error: unknown): void {
		const nowMs = clock.nowMs();
		if (isAbort(error)) {
			return;
		}
		const problem = isForgeError(error) ? error.problem : undefined;
		const restMs = restAfter(problem, nowMs);
		if (problem?.kind === 'unreachable') {
			restUntilMs = nowMs + Math.min(mostOfflineMs, firstOfflineMs * 2 ** offline);
			offline += 1;
		} else if (restMs !== undefined) {
			restUntilMs = nowMs + restMs;
		} else if (tracked === undefined) {
			ownMs = nowMs + 5 * minuteMs;
		} else {
			tracked.restUntilMs = nowMs + Math.min(6 * hourMs, 5 * minuteMs * 2 ** tracked.failures);
			tracked.failures += 1;
		}
	}

	return {
		get pause() {
			return pause;
		},
		onDidPause: paused.event,
		used(ref) {
			const tracked = trackedOf(ref);
			const wasUsed = clock.nowMs() - tracked.usedMs < inUseMs;
			tracked.usedMs = clock.nowMs();
			if (!wasUsed) {
				hurry(tracked);
				plan();
			}
		},
		dispose: () => owned.dispose(),
	};
}
