import { Emitter, type Event } from '../../base/event.ts';
import type { Clock } from '../../base/clock.ts';
import { Disposables, onDispose, type Disposable } from '../../base/lifecycle.ts';
import type { Background } from '../background/backgroundLoop.ts';
import type { Watched } from '../inbox/watched.ts';

/** How something that is read for the inbox stands. Times are milliseconds since 1970. */
export interface WatchReading {
	readonly watched: Watched;
	/** The inbox holds what happened to it before then; `undefined` before the first whole reading. */
	readonly readMs: number | undefined;
	/** The same of its parts that are read more rarely. */
	readonly olderMs?: number | undefined;
	/** The last try to read it failed, for a reason of its own. */
	readonly hasFailed: boolean;
	readonly failedMs?: number | undefined;
	/** A refresh still reads it. */
	readonly isBusy?: boolean;
}

/** What this window reads for the inbox of an account. Empty in a window that leaves that to another one. */
export interface WatchReadings {
	all(): readonly WatchReading[];
	/**
	 * Reads everything now, whatever the budget. Answers what is not as of now: what failed, was too long, or was not reached
	 * because the forge is away or the signal aborted.
	 */
	refresh(signal: AbortSignal): Promise<readonly WatchReading[]>;
	/** Requests that an hour allows, those of the last hour, and when polling may send the next; milliseconds since 1970. */
	budget(): { readonly perHour: number; readonly spent: number; readonly readyMs: number };
	/** Something was read, or failed. */
	readonly onDidRead: Event<void>;
}

/** The same for those who read. */
export interface ReadingSources {
	/** What one of them reads now, until it is disposed. `isBusy`: it reads something for a refresh that has no age. */
	add(source: () => readonly WatchReading[], isBusy?: () => boolean): Disposable;
	/** Something was read, or failed. */
	told(): void;
}

/** What all that is read for the inbox spends at most of an hour's requests. */
const share = 0.9;

export function watchReadings(
	{ loop, budget }: Background,
	clock: Pick<Clock, 'nowMs'>,
): WatchReadings & ReadingSources & Disposable {
	const sources = new Map<() => readonly WatchReading[], () => boolean>();
	const read = new Emitter<void>();
	const all = (): readonly WatchReading[] => [...sources.keys()].flatMap((source) => source());

	function isDone(sinceMs: number): boolean {
		return (
			loop.restUntilMs > clock.nowMs() ||
			(all().every((each) => isSettled(each, sinceMs)) && ![...sources.values()].some((isBusy) => isBusy()))
		);
	}

	return {
		all,
		async refresh(signal) {
			using owned = new Disposables();
			owned.add(loop.wake());
			const lifted = budget.lift();
			try {
				const sinceMs = clock.nowMs();
				loop.hurry();
				await new Promise<void>((resolve) => {
					const look = (): void => (isDone(sinceMs) ? resolve() : undefined);
					owned.add(loop.onDidRun(look));
					signal.addEventListener('abort', () => resolve(), { once: true });
					look();
				});
				return all().filter((each) => !isAsOf(each, sinceMs));
			} finally {
				lifted.dispose();
				loop.plan();
			}
		},
		budget: () => ({ perHour: budget.perHour(), spent: budget.spent(), readyMs: budget.readyAtMs(share) }),
		onDidRead: read.event,
		add(source, isBusy = () => false) {
			sources.set(source, isBusy);
			read.fire();
			return onDispose(() => {
				sources.delete(source);
				read.fire();
			});
		},
		told: () => read.fire(),
		dispose: () => read.dispose(),
	};
}

function isAsOf({ readMs = 0, olderMs = readMs }: WatchReading, sinceMs: number): boolean {
	return Math.min(readMs, olderMs) >= sinceMs;
}

/** Nothing more is to be expected of it in a refresh. */
function isSettled(each: WatchReading, sinceMs: number): boolean {
	return isAsOf(each, sinceMs) || (each.failedMs ?? 0) >= sinceMs || each.isBusy === false;
}

/**
 * Of when the whole is: the oldest last reading. `undefined` while something was never tried, or nothing is read at all; what
 * failed from the start has no time to be told.
 */
export function asOfMs(readings: readonly WatchReading[]): number | undefined {
	const times = readings
		.filter(({ readMs, hasFailed }) => readMs !== undefined || !hasFailed)
		.map(({ readMs }) => readMs ?? Number.NaN);
	const oldest = Math.min(...times);
	return Number.isFinite(oldest) ? oldest : undefined;
}
