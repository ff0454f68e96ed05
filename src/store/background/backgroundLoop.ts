import { isAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, onDispose, type Disposable } from '../../base/lifecycle.ts';
import { isForgeError, type Problem } from '../../forge/port/forgeError.ts';
import type { RequestBudget } from './requestBudget.ts';

/** Why background reads pause, for the user: exhausted budget or offline. */
export type ReadingPause = { readonly kind: 'budget'; readonly untilMs: number } | { readonly kind: 'offline' };

/** User presence. */
export interface Presence {
	isThere(): boolean;
	readonly onDidChange: Event<void>;
}

/** A possible background read of one or a few requests. */
export interface BackgroundTask {
	/** Earliest time to run in milliseconds since 1970; `Infinity` for never. */
	readonly atMs: number;
	/** Start of its wait: among tasks of one work with equal times, the longest waiting runs first. */
	readonly wishedMs?: number;
	/** Due, but the budget is exhausted. */
	readonly waitsForBudget: boolean;
	/** Uses another server than the tickets, so its failures don't affect the offline state. */
	readonly isApart: boolean;
	/** Caused by a push such as a delivery; runs even without presence. */
	readonly isTold?: boolean;
	read(signal: AbortSignal): Promise<void>;
	/** Called after a failure specific to this task; should back off. */
	failed(error: unknown): void;
}

/** Milliseconds since 1970. */
export interface BackgroundTimes {
	/** No read starts earlier. */
	readonly restUntilMs: number;
	readonly lastReadMs: number;
}

/** A source of tasks of one kind. */
export interface BackgroundWork {
	/** All possible tasks. Among equally due ones, the first runs first. */
	tasks(times: BackgroundTimes): readonly BackgroundTask[];
	/** Makes polled items due; slow polls only for a user's `wish`. */
	hurry?(why: Hurry): void;
}

/** Shared by all background reads of one account. */
export interface Background {
	readonly loop: BackgroundLoop;
	readonly budget: RequestBudget;
}

export interface BackgroundLoopParts {
	readonly presence: Presence;
	readonly clock: Clock;
}

/** `wish`: a user refresh. `return`: the user came back after a long time. */
export type Hurry = 'wish' | 'return';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
/** Delay after startup, to let views go first. */
export const startMs = 1500;
/** Time to keep reading without presence. */
export const goesOnMs = 5 * minuteMs;
/** Timers may stop while the machine sleeps: after waking, due reads start within this time. */
const mostTimerMs = minuteMs;
const firstOfflineMs = 15 * secondMs;
const mostOfflineMs = 10 * minuteMs;
/** Cap on a server's requested pause, so that a wrong header cannot stop reads for days. */
const mostAskedMs = 60 * minuteMs;

/** Background reads of one account: one task at a time, earliest first. */
export type BackgroundLoop = ReturnType<typeof backgroundLoop>;

export function backgroundLoop({ presence, clock }: BackgroundLoopParts) {
	const owned = new Disposables();
	const paused = owned.add(new Emitter<void>());
	const ran = owned.add(new Emitter<void>());
	let wakes = 0;
	const ending = new AbortController();
	/** Least recently run first. */
	const works = new Set<BackgroundWork>();
	let restUntilMs = clock.nowMs() + startMs;
	let lastReadMs = 0;
	let offline = 0;
	let awayMs: number | undefined;
	let pause: ReadingPause | undefined;
	let timer: Disposable | undefined;
	let isRunning = false;

	owned.add(onDispose(() => ending.abort()));
	owned.add(onDispose(() => timer?.dispose()));
	owned.add(presence.onDidChange(noteViewer));
	noteViewer();

	function noteViewer(): void {
		if (!presence.isThere()) {
			awayMs ??= clock.nowMs();
		} else if (awayMs !== undefined) {
			const wasLong = clock.nowMs() - awayMs > goesOnMs;
			awayMs = undefined;
			if (wasLong) {
				works.forEach((work) => work.hurry?.('return'));
			}
		}
		plan();
	}

	function possible(): readonly Possible[] {
		return [...works].map((work) => ({ work, tasks: work.tasks({ restUntilMs, lastReadMs }) }));
	}

	/** Without presence, only pushed tasks run, because their news should arrive promptly. */
	function nextOf(all: readonly Possible[]): ReturnType<typeof firstOf> {
		return firstOf(
			isAway() ? all.map(({ work, tasks }) => ({ work, tasks: tasks.filter(({ isTold }) => isTold === true) })) : all,
		);
	}

	function isAway(): boolean {
		return wakes === 0 && awayMs !== undefined && clock.nowMs() - awayMs >= goesOnMs;
	}

	function plan(): void {
		timer?.dispose();
		timer = undefined;
		if (isRunning || ending.signal.aborted) {
			return;
		}
		const all = possible();
		const next = nextOf(all);
		tell(all.flatMap(({ tasks }) => tasks));
		if (next !== undefined && Number.isFinite(next.task.atMs)) {
			timer = clock.after(Math.min(Math.max(0, next.task.atMs - clock.nowMs()), mostTimerMs), () => void run());
		}
	}

	function tell(all: readonly BackgroundTask[]): void {
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
		const next = nextOf(possible());
		if (isRunning || next === undefined || next.task.atMs > clock.nowMs()) {
			return plan();
		}
		const { work, task } = next;
		// Moves the work to the end of the turn order.
		works.delete(work);
		works.add(work);
		isRunning = true;
		try {
			await task.read(ending.signal);
			offline = task.isApart ? offline : 0;
		} catch (error) {
			failed(task, error);
		} finally {
			isRunning = false;
			lastReadMs = clock.nowMs();
			plan();
			ran.fire();
		}
	}

	function failed(task: BackgroundTask, error: unknown): void {
		const nowMs = clock.nowMs();
		if (isAbort(error)) {
			return;
		}
		if (task.isApart) {
			task.failed(error);
			return;
		}
		const problem = isForgeError(error) ? error.problem : undefined;
		const restMs = restAfter(problem, nowMs);
		if (problem?.kind === 'unreachable') {
			restUntilMs = nowMs + Math.min(mostOfflineMs, firstOfflineMs * 2 ** offline);
			offline += 1;
		} else if (restMs !== undefined) {
			restUntilMs = nowMs + restMs;
			// A rest requested by the server replaces the offline back-off, and no refresh shortens it.
			offline = 0;
		} else {
			task.failed(error);
		}
	}

	return {
		/** Adds a work until disposed. Works with equally due tasks take turns, in the order of their addition. */
		add(work: BackgroundWork) {
			works.add(work);
			plan();
			return onDispose(() => works.delete(work));
		},
		/** Plans again after a due time changed. */
		plan,
		/** User refresh: makes polled items due. */
		hurry() {
			if (offline > 0) {
				// The user may know that the forge is online again.
				restUntilMs = Math.min(restUntilMs, clock.nowMs());
			}
			works.forEach((work) => work.hurry?.('wish'));
			plan();
		},
		/** Another request reached the forge, so it is online. */
		reached() {
			if (offline > 0 && !isRunning) {
				offline = 0;
				restUntilMs = clock.nowMs();
				plan();
			}
		},
		get pause() {
			return pause;
		},
		/** No read starts earlier; milliseconds since 1970. */
		get restUntilMs() {
			return restUntilMs;
		},
		onDidPause: paused.event,
		/** Fires after each task. */
		onDidRun: ran.event,
		/** Keeps reading without presence until disposed, because the user waits in another window. */
		wake() {
			wakes += 1;
			return onDispose(() => (wakes -= 1));
		},
		dispose: () => owned.dispose(),
	};
}

interface Possible {
	readonly work: BackgroundWork;
	readonly tasks: readonly BackgroundTask[];
}

/** The next task; among works with equal times, the first in turn order. */
function firstOf(
	all: readonly Possible[],
): { readonly work: BackgroundWork; readonly task: BackgroundTask } | undefined {
	let best: ReturnType<typeof firstOf>;
	for (const { work, tasks } of all) {
		const task = earliest(tasks);
		if (task !== undefined && (best === undefined || task.atMs < best.task.atMs)) {
			best = { work, task };
		}
	}
	return best;
}

/** The earliest task; among equal times the longest waiting, then the first. */
function earliest(all: readonly BackgroundTask[]): BackgroundTask | undefined {
	let best: BackgroundTask | undefined;
	for (const each of all) {
		const isEarlier = best === undefined || each.atMs < best.atMs;
		if (isEarlier || (each.atMs === best?.atMs && (each.wishedMs ?? 0) < (best.wishedMs ?? 0))) {
			best = each;
		}
	}
	return best;
}

/** Rest in milliseconds after an error that affects all tasks; `undefined` for other errors. */
function restAfter(problem: Problem | undefined, nowMs: number): number | undefined {
	if (problem?.kind === 'rateLimited') {
		const askedMs = (problem.untilMs ?? nowMs + 5 * minuteMs) - nowMs;
		return Math.min(Math.max(minuteMs, askedMs), mostAskedMs);
	}
	return problem !== undefined && accountProblems.has(problem.kind) ? 15 * minuteMs : undefined;
}

/** Errors that would hit any other task too. */
const accountProblems: ReadonlySet<Problem['kind']> = new Set([
	'tokenRejected',
	'sessionUnreadable',
	'notSignedIn',
	'missingScope',
]);
