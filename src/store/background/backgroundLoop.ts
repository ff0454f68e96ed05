import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { ForgeError, isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { ContentArea } from 'sourcehut/port/instance.ts';
import type { RequestBudget, TaskCause } from './requestBudget.ts';
import { doubling, schedule } from './schedule.ts';

/** Why background reads pause, for the user: exhausted budget or offline. */
export type ReadingPause = { readonly kind: 'budget'; readonly untilMs: number } | { readonly kind: 'offline' };

/** User presence. */
export interface Presence {
	isThere(): boolean;
	readonly onDidChange: Event<void>;
}

/** A possible background read of one or a few requests. */
export interface BackgroundTask {
	/**
	 * In milliseconds since 1970; `Infinity` for never. Among runnable tasks of one work the longest due runs first, then
	 * the first.
	 */
	readonly dueMs: number;
	/** Part of the hourly budget that it may use, from 0 to 1; the rest is for higher priorities. Needs no budget without. */
	readonly share?: number;
	/** Replaces `share`: when a budget has room, in milliseconds since 1970. */
	readonly readyMs?: number;
	/** `delivery`: may also use the budget of deliveries, and counts against it. By default as `isTold` says. */
	readonly cause?: TaskCause;
	/** Its service. Only an unreachable ticket service counts as offline. */
	readonly area: ContentArea;
	/** Runs even without presence, because it reports news that a delivery may have named. */
	readonly isTold?: boolean;
	/** Views show its wait for the budget. */
	readonly isWaitShown?: boolean;
	read(signal: AbortSignal): Promise<void>;
	/** Called after a failure specific to this task; should back off. */
	failed(error: unknown): void;
}

/** A source of tasks of one kind. */
export interface BackgroundWork {
	/** All possible tasks. `lastReadMs`: end of the last task of any work. */
	tasks(lastReadMs: number): readonly BackgroundTask[];
	/**
	 * Makes polled items due; slow polls only for a `wish`. After the wall clock was set back, earlier due times would
	 * wait too long, so the loop wishes for everything.
	 */
	hurry?(why: Hurry): void;
}

/** Shared by all background reads of one account. */
export interface Background {
	readonly loop: BackgroundLoop;
	readonly budget: RequestBudget;
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
/** Cap on a server's requested pause, so that a wrong header cannot stop reads for days. */
const mostAskedMs = 60 * minuteMs;

/** Background reads of one account: one task at a time, earliest first. */
export type BackgroundLoop = ReturnType<typeof backgroundLoop>;

export function backgroundLoop(presence: Presence, budget: RequestBudget, clock: Clock) {
	const owned = new Disposables();
	const paused = owned.add(new Emitter<void>());
	const ran = owned.add(new Emitter<void>());
	let wakes = 0;
	const ending = new AbortController();
	/** Least recently run first. */
	const works = new Set<BackgroundWork>();
	let restUntilMs = clock.nowMs() + startMs;
	/** A refused token, a 429 or an unreachable service rests this service only. */
	const rests = new Map<ContentArea, AreaRest>();
	let lastReadMs = 0;
	let latestMs = clock.nowMs();
	/** Rests while the ticket service is unreachable. */
	const offline = schedule(clock, 0, doubling(15 * secondMs, 10 * minuteMs));
	let awayMs: number | undefined;
	let pause: ReadingPause | undefined;
	let timer: Disposable | undefined;
	let timerMs = Number.POSITIVE_INFINITY;
	let isRunning = false;

	owned.add(onDispose(() => ending.abort()));
	owned.add(onDispose(() => timer?.dispose()));
	owned.add(presence.onDidChange(noteViewer));
	noteViewer();

	function followClock(): void {
		const nowMs = clock.nowMs();
		const wasSetBack = nowMs < latestMs - secondMs;
		latestMs = nowMs;
		if (wasSetBack) {
			restUntilMs = Math.min(restUntilMs, nowMs);
			rests.clear();
			awayMs = awayMs === undefined ? undefined : Math.min(awayMs, nowMs);
			timerMs = Number.POSITIVE_INFINITY;
			works.forEach((work) => work.hurry?.('wish'));
		}
	}

	function noteViewer(): void {
		followClock();
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

	/** Looks for a runnable task at this time, or at an earlier planned one. Asks no work before. */
	function plan(atMs = clock.nowMs()): void {
		if (!isRunning && !ending.signal.aborted && atMs < timerMs) {
			timer?.dispose();
			timerMs = atMs;
			timer = clock.after(Math.min(Math.max(0, atMs - clock.nowMs()), mostTimerMs), look);
		}
	}

	/** Runs the next task, or plans the next look. */
	function look(): void {
		timerMs = Number.POSITIVE_INFINITY;
		followClock();
		const all = [...works].flatMap((work) =>
			work.tasks(lastReadMs).map((task) => ({ work, task, atMs: atMsOf(task) })),
		);
		notePause(all);
		// Without presence, only told tasks run, because their news should arrive promptly.
		const isAway = wakes === 0 && awayMs !== undefined && clock.nowMs() - awayMs >= goesOnMs;
		const next = firstOf(isAway ? all.filter(({ task }) => task.isTold) : all);
		if (next && next.atMs <= clock.nowMs()) {
			void run(next);
		} else if (next && Number.isFinite(next.atMs)) {
			plan(next.atMs);
		}
	}

	/** Earliest time to run. The budget counts once the task is due. */
	function atMsOf(task: BackgroundTask): number {
		const { dueMs, share, readyMs } = task;
		const fromMs = Math.max(dueMs, restsUntilMs(task.area));
		if (fromMs > clock.nowMs() + secondMs) {
			return fromMs;
		}
		return Math.max(fromMs, readyMs ?? (share === undefined ? 0 : budget.readyAtMs(share, causeOf(task))));
	}

	function restsUntilMs(area: ContentArea): number {
		return Math.max(restUntilMs, rests.get(area)?.untilMs ?? 0);
	}

	/** Ends all rests that no server requested. */
	function endOwnRests(): void {
		rests.forEach(({ problem }, area) => problem.kind !== 'rateLimited' && rests.delete(area));
	}

	function notePause(all: readonly Possible[]): void {
		const before = pause;
		const held = firstOf(
			all.filter(({ task: { dueMs, area, isWaitShown }, atMs }) => {
				const waitMs = atMs - Math.max(dueMs, restsUntilMs(area));
				return isWaitShown && waitMs > secondMs && Number.isFinite(waitMs);
			}),
		);
		pause = offline.failures > 0 ? { kind: 'offline' } : held && { kind: 'budget', untilMs: held.atMs };
		if (before?.kind !== pause?.kind) {
			paused.fire();
		}
	}

	async function run({ work, task }: Possible): Promise<void> {
		// Moves the work to the end of the turn order.
		works.delete(work);
		works.add(work);
		isRunning = true;
		try {
			const read = (): Promise<void> => task.read(ending.signal);
			await budget.forTask(causeOf(task), read);
			if (task.area === 'todo') {
				offline.answered();
			}
			// A write may have met a limit meanwhile.
			if (restsUntilMs(task.area) <= clock.nowMs()) {
				rests.delete(task.area);
			}
		} catch (error) {
			failed(task, error);
		} finally {
			isRunning = false;
			lastReadMs = clock.nowMs();
			plan();
			ran.fire();
		}
	}

	/** Rests a service after an error that affects all its tasks; false for other errors. */
	function beginRest(area: ContentArea, problem: Problem): boolean {
		const nowMs = clock.nowMs();
		let restMs = accountProblems.has(problem.kind) ? 15 * minuteMs : undefined;
		if (problem.kind === 'rateLimited') {
			// A server may name a second each time.
			const leastMs = rests.get(area)?.problem.kind === 'rateLimited' ? minuteMs : 0;
			const askedMs = (problem.untilMs ?? nowMs + 5 * minuteMs) - nowMs;
			restMs = Math.min(Math.max(leastMs, askedMs), mostAskedMs);
		}
		if (restMs !== undefined) {
			rests.set(area, { problem, untilMs: nowMs + restMs });
		}
		return restMs !== undefined;
	}

	function failed(task: BackgroundTask, error: unknown): void {
		if (isAbort(error)) {
			return;
		}
		const problem = isForgeError(error) ? error.problem : undefined;
		const isResting = problem !== undefined && beginRest(task.area, problem);
		if (task.area !== 'todo') {
			task.failed(error);
		} else if (problem?.kind === 'unreachable') {
			offline.failed();
			rests.set('todo', { problem, untilMs: offline.dueMs });
		} else if (isResting) {
			// The service has answered.
			offline.answered();
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
		/** Call after a task became due earlier: at `atMs`, or now. */
		plan,
		/** User refresh: makes polled items due. */
		hurry() {
			// The user may know that the forge is online again.
			endOwnRests();
			works.forEach((work) => work.hurry?.('wish'));
			plan();
		},
		/** The account has a new token. Each service may treat it better than the old one. */
		tokenReplaced() {
			rests.forEach(({ problem }, area) => !isNamed(problem) && rests.delete(area));
			this.hurry();
		},
		/** User command for one work: reads start without the rests of this window. */
		endOwnRests() {
			endOwnRests();
			plan();
		},
		/** The service limits requests now: the error of a request that would be sent. */
		limit(area: ContentArea) {
			const problem = this.rest(area)?.problem;
			return problem?.kind === 'rateLimited' ? new ForgeError(problem, { isUnsent: true }) : undefined;
		},
		/** A write failed. After a 429, the service rests. */
		restIfLimited(area: ContentArea, { problem }: ForgeError) {
			if (problem.kind === 'rateLimited' && !this.limit(area)) {
				beginRest(area, problem);
			}
		},
		/** Current rest of a service, with its reason. */
		rest(area: ContentArea) {
			const rest = rests.get(area);
			return rest && rest.untilMs > clock.nowMs() ? rest : undefined;
		},
		/** Another request reached the forge, so it is online. */
		reached() {
			if (offline.failures > 0 && !isRunning) {
				offline.answered();
				if (rests.get('todo')?.problem.kind === 'unreachable') {
					rests.delete('todo');
				}
				plan();
			}
		},
		get pause() {
			return pause;
		},
		/** No read of the service starts earlier; milliseconds since 1970. */
		restsUntilMs,
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

interface AreaRest {
	readonly problem: Problem;
	readonly untilMs: number;
}

interface Possible {
	readonly work: BackgroundWork;
	readonly task: BackgroundTask;
	readonly atMs: number;
}

/** The earliest task. Among equal ones that of the first work, and of one work the longest due. */
function firstOf(all: readonly Possible[]): Possible | undefined {
	let best: Possible | undefined;
	for (const each of all) {
		const isLongerDue = each.work === best?.work && each.task.dueMs < best.task.dueMs;
		if (best === undefined || each.atMs < best.atMs || (each.atMs === best.atMs && isLongerDue)) {
			best = each;
		}
	}
	return best;
}

function causeOf({ cause, isTold }: BackgroundTask): TaskCause {
	return cause ?? (isTold ? 'delivery' : 'poll');
}

/** The server named the end of the rest, whatever the token. */
function isNamed(problem: Problem): boolean {
	return problem.kind === 'rateLimited' && problem.untilMs !== undefined;
}

/** Errors that would hit any other task of the service too. A scope may be missing for one kind of reads only. */
const accountProblems: ReadonlySet<Problem['kind']> = new Set(['tokenRejected', 'sessionUnreadable', 'notSignedIn']);
