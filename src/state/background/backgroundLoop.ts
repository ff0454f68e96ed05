import { isAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, onDispose, type Disposable } from '../../base/lifecycle.ts';
import { isForgeError, type Problem } from '../../forge/forgeError.ts';
import type { RequestBudget } from './requestBudget.ts';

/** Why the background reading rests, as far as people should know: out of budget until a time, or offline. */
export type ReadingPause = { readonly kind: 'budget'; readonly untilMs: number } | { readonly kind: 'offline' };

/** Whether anybody is there to see what is read. */
export interface Presence {
	isThere(): boolean;
	readonly onDidChange: Event<void>;
}

/** Something that could be read in the background; one request, or a few that belong together. */
export interface BackgroundTask {
	/** When it may run at the earliest; `Infinity` for never. Milliseconds since 1970. */
	readonly atMs: number;
	/** Since when it waits for its turn: of those of one work that may run at one time the one that waits longest goes first. */
	readonly wishedMs?: number;
	/** Waits for room in the budget and for nothing else. */
	readonly waitsForBudget: boolean;
	/** Asks another server than the tickets': that one fails or answers says nothing of the other. */
	readonly isApart: boolean;
	/** Somebody told of it, such as a delivery: it is read also while nobody is there. */
	readonly isTold?: boolean;
	read(signal: AbortSignal): Promise<void>;
	/** It failed with a problem of its own, and should be left alone for a while. */
	failed(error: unknown): void;
}

/** How the reading of all stands now. Milliseconds since 1970. */
export interface BackgroundTimes {
	/** Nothing is read before. */
	readonly restUntilMs: number;
	readonly lastReadMs: number;
}

/** One kind of things that are read. */
export interface BackgroundWork {
	/** All that could be read. Of several that are due, and wished for since the same time, the first goes first. */
	tasks(times: BackgroundTimes): readonly BackgroundTask[];
	/** What is read now and then is due. What comes round rarely is so only for who wishes it. */
	hurry(why: Hurry): void;
	/** The clock was set back: what waits for a time waits no longer than it would have. */
	clockWentBack(byMs: number): void;
}

/** What everything that is read in the background shares, of one account. */
export interface Background {
	readonly loop: BackgroundLoop;
	readonly budget: RequestBudget;
}

export interface BackgroundLoopParts {
	readonly presence: Presence;
	readonly clock: Clock;
}

/** Somebody wishes to know now, or came back after a long time. */
export type Hurry = 'wish' | 'return';

/** Reads what nobody waits for, of one account: one task at a time, the one that is due first. */
export interface BackgroundLoop extends Disposable {
	/** Reads this as well, until it is disposed. Works that are due at one time take turns, in the order in which they came. */
	add(work: BackgroundWork): Disposable;
	/** Something may be due at another time now. */
	plan(): void;
	/** Somebody wants to know now: what is read now and then is due. */
	hurry(): void;
	/** Somebody else had an answer from the forge, so that it is not away. */
	reached(): void;
	readonly pause: ReadingPause | undefined;
	/** Nothing is read before; milliseconds since 1970. */
	readonly restUntilMs: number;
	readonly onDidPause: Event<void>;
	/** A task ended, and the next is planned. */
	readonly onDidRun: Event<void>;
	/** Until this is disposed, it also reads while nobody is there: somebody waits in another window. */
	wake(): Disposable;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
/** Views go first when a window opens. */
export const startMs = 1500;
/** How long reading goes on when nobody is there. */
export const goesOnMs = 5 * minuteMs;
const firstOfflineMs = 15 * secondMs;
const mostOfflineMs = 10 * minuteMs;
/** If a server asks for a longer pause, it is asked once an hour: a wrong header must not end the reading for days. */
const mostAskedMs = 60 * minuteMs;

export function backgroundLoop({ presence, clock }: BackgroundLoopParts): BackgroundLoop {
	const owned = new Disposables();
	const paused = owned.add(new Emitter<void>());
	const ran = owned.add(new Emitter<void>());
	let wakes = 0;
	const ending = new AbortController();
	/** The one whose turn was longest ago comes first. */
	const works = new Set<BackgroundWork>();
	const startedMs = clock.nowMs();
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
	noteViewer();

	function noteViewer(): void {
		if (!presence.isThere()) {
			awayMs ??= clock.nowMs();
		} else if (awayMs !== undefined) {
			const wasLong = clock.nowMs() - awayMs > goesOnMs;
			awayMs = undefined;
			if (wasLong) {
				works.forEach((work) => work.hurry('return'));
			}
		}
		plan();
	}

	function possible(): readonly Possible[] {
		return [...works].map((work) => ({ work, tasks: work.tasks({ restUntilMs, lastReadMs }) }));
	}

	/** While nobody is there only what somebody told of is read: news of it are wanted when it happens. */
	function nextOf(all: readonly Possible[]): ReturnType<typeof firstOf> {
		return firstOf(
			isAway() ? all.map(({ work, tasks }) => ({ work, tasks: tasks.filter(({ isTold }) => isTold === true) })) : all,
		);
	}

	function isAway(): boolean {
		return wakes === 0 && awayMs !== undefined && clock.nowMs() - awayMs >= goesOnMs;
	}

	/** When the clock was set back, what waits for a time waits no longer than it would have. */
	function followClock(): void {
		const nowMs = clock.nowMs();
		const backMs = Math.max(0, latestMs - nowMs);
		latestMs = nowMs;
		if (backMs === 0) {
			return;
		}
		restUntilMs -= backMs;
		lastReadMs -= backMs;
		awayMs = awayMs === undefined ? undefined : awayMs - backMs;
		works.forEach((work) => work.clockWentBack(backMs));
	}

	function plan(): void {
		timer?.dispose();
		timer = undefined;
		followClock();
		if (isRunning || ending.signal.aborted) {
			return;
		}
		const all = possible();
		const next = nextOf(all);
		tell(all.flatMap(({ tasks }) => tasks));
		if (next !== undefined && Number.isFinite(next.task.atMs)) {
			timer = clock.after(Math.max(0, next.task.atMs - clock.nowMs()), () => void run());
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
		followClock();
		const next = nextOf(possible());
		if (isRunning || next === undefined || next.task.atMs > clock.nowMs()) {
			return plan();
		}
		const { work, task } = next;
		// Its next turn comes after those of the others.
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
			// Now it rests for that, which nobody can hurry.
			offline = 0;
		} else {
			task.failed(error);
		}
	}

	return {
		add(work) {
			works.add(work);
			plan();
			return onDispose(() => works.delete(work));
		},
		plan,
		hurry() {
			if (offline > 0) {
				// Whoever asks may know that the forge is there again.
				restUntilMs = Math.min(restUntilMs, clock.nowMs());
			}
			works.forEach((work) => work.hurry('wish'));
			plan();
		},
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
		get restUntilMs() {
			return restUntilMs;
		},
		onDidPause: paused.event,
		onDidRun: ran.event,
		wake() {
			wakes += 1;
			return onDispose(() => (wakes -= 1));
		},
		dispose: () => owned.dispose(),
	};
}

/** What one work could read. */
interface Possible {
	readonly work: BackgroundWork;
	readonly tasks: readonly BackgroundTask[];
}

/** What is read next: of several works that could read at the same time it is the turn of the first. */
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

/** What has the earliest time; of several with the same time what is wished for longest, else the first. */
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

/** How long, in milliseconds, everything rests after a problem that is not one thing's; `undefined` after others. */
function restAfter(problem: Problem | undefined, nowMs: number): number | undefined {
	if (problem?.kind === 'rateLimited') {
		const askedMs = (problem.untilMs ?? nowMs + 5 * minuteMs) - nowMs;
		return Math.min(Math.max(minuteMs, askedMs), mostAskedMs);
	}
	return problem !== undefined && accountProblems.has(problem.kind) ? 15 * minuteMs : undefined;
}

/** Problems that no other task would be spared. */
const accountProblems: ReadonlySet<Problem['kind']> = new Set([
	'tokenRejected',
	'sessionUnreadable',
	'notSignedIn',
	'missingScope',
]);
