import type { Clock } from '../../../base/clock.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import {
	startMs,
	type Background,
	type BackgroundTask,
	type BackgroundTimes,
} from '../../background/backgroundLoop.ts';
import { jittered, nextEveryMs, soonMs } from '../../background/adaptivePace.ts';
import { fillBudget, mostNewsMs, readingTasks, repeatMs, type Task } from './readingTasks.ts';
import type { TicketStore } from '../ticketStore.ts';
import { isInUse, newsMs, trackedTrackers } from './trackedTrackers.ts';

export interface BackgroundReadingParts extends Background {
	readonly store: TicketStore;
	readonly clock: Clock;
	/** A number from 0 to 1. */
	readonly random: () => number;
}

/** Reads tickets in the background: one request at a time, within the budget. */
export interface BackgroundReading extends Disposable {
	/** The user is viewing a tracker; polls it more often. */
	used(tracker: TrackerRef): void;
	newsReading(tracker: TrackerRef): NewsReading;
	/** Tickets changed at `sinceMs`: makes the newest page due, unless it was requested later. */
	newsDue(tracker: TrackerRef, sinceMs: number): void;
	/** The same for own trackers. */
	ownTrackersDue(): void;
}

/** State of the polls of a tracker's newest page. */
export interface NewsReading {
	/** Last read in milliseconds since 1970; `undefined` before. */
	readonly readMs: number | undefined;
	readonly hasFailed: boolean;
	readonly failedMs: number | undefined;
	/** A user refresh is in progress. */
	readonly isBusy: boolean;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export function backgroundReading({ store, budget, loop, clock, random }: BackgroundReadingParts): BackgroundReading {
	const owned = new Disposables();
	const trackers = trackedTrackers(store, clock);
	const fills = fillBudget(budget, clock);
	let ownMs = clock.nowMs() + startMs;
	let isOwnTold = false;

	owned.add(
		loop.add({
			tasks: (times) => tasks(times).map(loopTask),
			hurry: (why) => trackers.hurryAll(why === 'wish'),
			clockWentBack(byMs) {
				ownMs -= byMs;
				trackers.clockWentBack(byMs);
			},
		}),
	);
	owned.add(store.onDidChange(({ kind }) => kind === 'ticket' || loop.plan()));
	owned.add(store.onDidLearn(() => loop.reached()));

	function tasks(times: BackgroundTimes): readonly Task[] {
		return readingTasks({ store, budget, fills, trackers, clock }, { ...times, ownMs, isOwnTold });
	}

	function loopTask(task: Task): BackgroundTask {
		const { tracked, isNews, isFill } = task;
		const isTold = tracked === undefined ? isOwnTold : tracked.areNewsTold && isNews && !isFill;
		return {
			...task,
			isApart: false,
			isTold,
			read: (signal) => (isTold ? budget.forDelivery(() => read(task, signal)) : read(task, signal)),
			failed: () => failed(task),
		};
	}

	function readTickets(ref: TrackerRef, { from, isFill, recheck = [] }: Task, signal: AbortSignal): Promise<boolean> {
		if (recheck.length > 0) {
			return store.recheckTickets(ref, recheck, signal);
		}
		return isFill ? store.fillTickets(ref, from, signal) : store.rereadTickets(ref, from, signal);
	}

	async function read(task: Task, signal: AbortSignal): Promise<void> {
		const { tracked, isNews, isFill } = task;
		if (isFill) {
			fills.spend();
		}
		if (tracked === undefined) {
			await store.pollOwnTrackers(signal);
			isOwnTold = false;
			ownMs = clock.nowMs() + repeatMs(jittered(hourMs, random), { budget, trackers });
			return;
		}
		const nowMs = clock.nowMs();
		if (isNews) {
			tracked.newsMs = nowMs + tracked.newsEveryMs;
			tracked.askedMs = nowMs;
			tracked.isHurried = false;
		} else {
			tracked.pageMs = nowMs;
		}
		const isNew = await readTickets(tracked.ref, task, signal);
		tracked.failures = 0;
		tracked.failedMs = undefined;
		tracked.wishedPages -= tracked.wishedMs > 0 && !isFill ? 1 : 0;
		tracked.readMs = isNews ? nowMs : tracked.readMs;
		if (isNews) {
			// News reported by a webhook must not change the poll interval.
			if (!tracked.areNewsTold) {
				tracked.newsEveryMs = nextEveryMs(isNew, {
					everyMs: tracked.newsEveryMs,
					soonestMs: isInUse(tracked, nowMs) ? newsMs : soonMs,
					rarelyMs: mostNewsMs,
				});
			}
			tracked.areNewsTold = false;
			tracked.newsMs = clock.nowMs() + jittered(tracked.newsEveryMs, random);
		}
	}

	function failed({ tracked }: Task): void {
		const nowMs = clock.nowMs();
		if (tracked === undefined) {
			ownMs = nowMs + repeatMs(5 * minuteMs, { budget, trackers });
		} else {
			tracked.restUntilMs = nowMs + Math.min(6 * hourMs, 5 * minuteMs * 2 ** tracked.failures);
			tracked.failures += 1;
			tracked.failedMs = nowMs;
			tracked.wishedMs = 0;
		}
	}

	return {
		used(ref) {
			const tracked = trackers.of(ref);
			const wasUsed = isInUse(tracked, clock.nowMs());
			tracked.usedMs = clock.nowMs();
			if (!wasUsed) {
				trackers.hurry(tracked);
				loop.plan();
			}
		},
		newsReading(ref) {
			const { readMs, failedMs, wishedMs, wishedPages } = trackers.of(ref);
			return { readMs, hasFailed: failedMs !== undefined, failedMs, isBusy: wishedMs > 0 && wishedPages > 0 };
		},
		newsDue(ref, sinceMs) {
			const tracked = trackers.of(ref);
			if (tracked.askedMs <= sinceMs) {
				tracked.areNewsTold = true;
				tracked.newsMs = Math.min(tracked.newsMs, clock.nowMs());
				loop.plan();
			}
		},
		ownTrackersDue() {
			isOwnTold = true;
			ownMs = Math.min(ownMs, clock.nowMs());
			loop.plan();
		},
		dispose: () => owned.dispose(),
	};
}
