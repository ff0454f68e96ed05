import { isAbort } from '../../../base/abort.ts';
import type { Clock } from '../../../base/clock.ts';
import { Emitter, type Event } from '../../../base/event.ts';
import { Disposables, onDispose, type Disposable } from '../../../base/lifecycle.ts';
import { isForgeError, type Problem } from '../../../forge/forgeError.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import type { RequestBudget } from './requestBudget.ts';
import { readingTasks, repeatMs, type Task } from './readingTasks.ts';
import type { TicketStore } from '../ticketStore.ts';
import { newsMs, trackedTrackers } from './trackedTrackers.ts';

/** Why the background reading rests, as far as people should know: out of budget until a time, or offline. */
export type ReadingPause = { readonly kind: 'budget'; readonly untilMs: number } | { readonly kind: 'offline' };

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
	readonly pause: ReadingPause | undefined;
	readonly onDidPause: Event<void>;
	/** Somebody looks at a tracker: its news are worth more now. */
	used(tracker: TrackerRef): void;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/** Views go first when a window opens. */
const startMs = 1500;
/** How rarely at most news are read when there are none. */
const mostNewsMs = 15 * minuteMs;
const newsGrowth = 1.5;
/** A tracker counts as looked at this long. */
const inUseMs = 10 * minuteMs;
/** How long reading goes on when nobody is there. */
const goesOnMs = 5 * minuteMs;
const firstOfflineMs = 15 * secondMs;
const mostOfflineMs = 10 * minuteMs;

export function backgroundReading({ store, budget, presence, clock }: BackgroundReadingParts): BackgroundReading {
	const owned = new Disposables();
	const paused = owned.add(new Emitter<void>());
	const ending = new AbortController();
	const trackers = trackedTrackers(store, clock);
	const startedMs = clock.nowMs();
	let ownMs = startedMs + startMs;
	let restUntilMs = startedMs + startMs;
	let lastReadMs = 0;
	let latestMs = startedMs;
	let offline = 0;
	let awayMs: number | undefined;
	let pause: ReadingPause | undefined;
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
			if (wasLong) {
				trackers.hurryAll();
			}
		}
		plan();
	}

	function tasks(): readonly Task[] {
		return readingTasks({ store, budget, trackers, clock }, { ownMs, restUntilMs, lastReadMs });
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
		trackers.clockWentBack(backMs);
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
			ownMs = clock.nowMs() + repeatMs(hourMs, { budget, trackers });
			return;
		}
		const nowMs = clock.nowMs();
		if (isNews) {
			tracked.newsMs = nowMs + tracked.newsEveryMs;
			tracked.askedMs = nowMs;
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
			ownMs = nowMs + repeatMs(5 * minuteMs, { budget, trackers });
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
			const tracked = trackers.of(ref);
			const wasUsed = clock.nowMs() - tracked.usedMs < inUseMs;
			tracked.usedMs = clock.nowMs();
			if (!wasUsed) {
				trackers.hurry(tracked);
				plan();
			}
		},
		dispose: () => owned.dispose(),
	};
}

/** What has the earliest time; of several with the same time the first. */
function earliest<T extends { readonly atMs: number }>(all: readonly T[]): T | undefined {
	let best: T | undefined;
	for (const each of all) {
		if (best === undefined || each.atMs < best.atMs) {
			best = each;
		}
	}
	return best;
}

/** How long, in milliseconds, everything rests after a problem that is not one tracker's; `undefined` after others. */
function restAfter(problem: Problem | undefined, nowMs: number): number | undefined {
	if (problem?.kind === 'rateLimited') {
		return Math.max(minuteMs, (problem.untilMs ?? nowMs + 5 * minuteMs) - nowMs);
	}
	return problem !== undefined && accountProblems.has(problem.kind) ? 15 * minuteMs : undefined;
}

/** Problems that no other tracker would be spared. */
const accountProblems: ReadonlySet<Problem['kind']> = new Set([
	'tokenRejected',
	'sessionUnreadable',
	'notSignedIn',
	'missingScope',
]);
