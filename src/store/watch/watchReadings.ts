import { Emitter } from '@forge-desk/base/event.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Disposables, onDispose } from '@forge-desk/base/lifecycle.ts';
import { minOf } from '@forge-desk/base/longArrays.ts';
import type { ContentArea } from 'sourcehut/port/instance.ts';
import type { Background } from '../background/backgroundLoop.ts';
import { areaOfWatched, type Watched } from '../inbox/watched.ts';

/** State of one polled thing. Times are milliseconds since 1970. */
export interface WatchReading {
	readonly watched: Watched;
	/** The inbox covers all changes before this time; `undefined` before the first whole reading. */
	readonly readMs: number | undefined;
	/** The same for its slower parts. */
	readonly olderMs?: number | undefined;
	/** The last read failed for a reason of its own. */
	readonly hasFailed: boolean;
	readonly failedMs?: number | undefined;
	/** A refresh waits for it. */
	readonly isBusy?: boolean;
}

/** Part of the hourly budget for all polling. */
const share = 0.9;

/** Readings of this window for one inbox. Empty in windows without the lease. */
export type WatchReadings = ReturnType<typeof watchReadings>;

export function watchReadings({ loop, budget }: Background, clock: Clock) {
	const sources = new Map<() => readonly WatchReading[], () => boolean>();
	const read = new Emitter<void>();
	const all = (): readonly WatchReading[] => [...sources.keys()].flatMap((source) => source());

	return {
		all,
		/**
		 * Reads everything, whatever the budget. Resolves to the things without a fresh reading: failed, too long, or out of
		 * reach.
		 */
		async refresh(signal: AbortSignal): Promise<readonly WatchReading[]> {
			using owned = new Disposables();
			owned.add(loop.wake());
			const lifted = budget.lift();
			try {
				const sinceMs = clock.nowMs();
				loop.hurry();
				await new Promise<void>((resolve) => {
					const isResting = (area: ContentArea): boolean => loop.restsUntilMs(area) > clock.nowMs();
					const look = (): void => {
						const isEachSettled = all().every((each) => {
							const isRead = isAsOf(each, sinceMs) || (each.failedMs ?? 0) >= sinceMs;
							return isRead || each.isBusy === false || isResting(areaOfWatched(each.watched));
						});
						if (isEachSettled && (isResting('lists') || ![...sources.values()].some((isBusy) => isBusy()))) {
							resolve();
						}
					};
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
		/** When the service of a thing is read again after a refusal; past times for now. In milliseconds since 1970. */
		restsUntilMs: ({ watched }: WatchReading) => loop.restsUntilMs(areaOfWatched(watched)),
		/** The account has a new token: reads start now, without the rests that the old one caused. */
		tokenReplaced: () => loop.tokenReplaced(),
		/** Hourly limit, requests of the last hour, and time of the next poll; milliseconds since 1970. */
		budget: () => ({ perHour: budget.perHour(), spent: budget.spent(), readyMs: budget.readyAtMs(share) }),
		/** Fires after a read or failure. */
		onDidRead: read.event,
		/** Adds a source until disposal. `isBusy`: a refresh waits for a read without an age. */
		add(source: () => readonly WatchReading[], isBusy: () => boolean = () => false) {
			sources.set(source, isBusy);
			read.fire();
			return onDispose(() => {
				sources.delete(source);
				read.fire();
			});
		},
		/** Pollers call it after a read or failure. */
		fire: () => read.fire(),
		dispose: () => read.dispose(),
	};
}

function isAsOf({ readMs = 0, olderMs = readMs }: WatchReading, sinceMs: number): boolean {
	return Math.min(readMs, olderMs) >= sinceMs;
}

/**
 * Age of the whole inbox: that of its stalest part. `undefined` before all parts have a first try, or without parts.
 * Ignores parts that always failed.
 */
export function asOfMs(readings: readonly WatchReading[]): number | undefined {
	const times = readings
		.filter(({ readMs, hasFailed }) => readMs !== undefined || !hasFailed)
		.map(({ readMs }) => readMs ?? Number.NaN);
	const oldest = minOf(times);
	return Number.isFinite(oldest) ? oldest : undefined;
}
