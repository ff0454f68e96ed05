import type { Clock } from '@forge-desk/base/clock.ts';
import { isUnreachable } from 'sourcehut/port/isAway.ts';

const minuteMs = 60_000;
const growth = 1.5;
/** Maximum reduction by jitter. */
const jitter = 0.2;

/** Poll interval after news, for an item not in use. */
export const soonMs = 2 * minuteMs;
/** Shortest interval for an item not in use. */
export const fastestMs = soonMs * (1 - jitter);

/** Interval of one question for many items. News arrives within five minutes, with the reads that follow. */
export const roundMs = 290_000;
const mostRoundMs = 15 * minuteMs;

/** Next interval of rounds that may take several requests. Those without news leave most of an hour's budget. */
export function nextRoundMs(isNew: boolean, everyMs: number, requests: number): number {
	const rarelyMs = requests > 1 ? Math.min(mostRoundMs, requests * 5 * minuteMs) : roundMs;
	return nextEveryMs(isNew, everyMs, roundMs, rarelyMs);
}

/** Next poll interval: short after news, otherwise growing. `everyMs`: the previous interval. */
export function nextEveryMs(isNew: boolean, everyMs: number, soonestMs: number, rarelyMs: number): number {
	return isNew ? soonestMs : Math.min(rarelyMs, Math.max(soonestMs, everyMs * growth));
}

/** Jitters an interval, so that windows and items don't poll in lockstep. `random`: from 0 to 1. */
export function jittered(timeMs: number, random: () => number): number {
	return timeMs * (1 - jitter * random());
}

/** Jitters rounds less, since every round costs a request. */
export function jitteredRound(timeMs: number, random: () => number): number {
	return timeMs * (1 - (jitter / 4) * random());
}

/** Rests after failures in a row: each is twice as long, up to a limit. */
export function doubling(firstMs: number, mostMs: number): (failures: number) => number {
	return (failures) => Math.min(mostMs, firstMs * 2 ** failures);
}

/** Rests of rounds. Each of their things has its own polls meanwhile. */
export const roundRestMs = doubling(roundMs, 60 * minuteMs);

/** Due time of a background task, with its interval and the rests after failures. */
export type Schedule = ReturnType<typeof schedule>;

/** All times are milliseconds since 1970. `restMs`: the rest after a failure; `failures` are those in a row before it. */
export function schedule(
	clock: Clock,
	dueMs = clock.nowMs(),
	restMs: (failures: number, error: unknown) => number = doubling(5 * minuteMs, 6 * 60 * minuteMs),
) {
	let failures = 0;
	let failedMs = 0;
	let askedMs = 0;
	let readMs: number | undefined;

	const times = {
		dueMs,
		everyMs: soonMs,
		/** A hint came after the last read. */
		isHinted: false,
		/** Failures in a row. */
		get failures() {
			return failures;
		},
		/** Time of the last failure, even an old one. 0 before. */
		get failedMs() {
			return failedMs;
		},
		/** Start of the last read. 0 before. */
		get askedMs() {
			return askedMs;
		},
		/** For the age of the inbox. `readMs` is missing before the first read. */
		reading: () => ({ readMs, hasFailed: failures > 0, failedMs: failures > 0 ? failedMs : undefined }),
		/** Call before a read. */
		asked(atMs = clock.nowMs()): void {
			askedMs = atMs;
		},
		/** The read succeeded. */
		answered(): void {
			failures = 0;
			readMs = askedMs;
		},
		/** Next poll: soon after news, otherwise later each time. News that a hint named don't change the interval. */
		pollAgain(isNew: boolean, soonestMs: number, rarelyMs: number, random: () => number): void {
			times.everyMs = times.isHinted ? times.everyMs : nextEveryMs(isNew, times.everyMs, soonestMs, rarelyMs);
			times.isHinted = false;
			times.wait(jittered(times.everyMs, random));
		},
		wait(afterMs: number): void {
			times.dueMs = clock.nowMs() + afterMs;
		},
		/** Backs off. An unreachable forge is no fault of the task, so those failures don't add up. */
		failed: (error?: unknown): void => {
			failedMs = clock.nowMs();
			times.wait(restMs(failures, error));
			failures = isUnreachable(error) ? Math.max(failures, 1) : failures + 1;
		},
		/** Makes it due within this time. */
		hurry(inMs = 0): void {
			times.dueMs = Math.min(times.dueMs, clock.nowMs() + inMs);
		},
		/** A hint came at `sinceMs`. False if the last read began later. */
		hint(sinceMs = Number.POSITIVE_INFINITY): boolean {
			if (askedMs > sinceMs) {
				return false;
			}
			times.isHinted = true;
			times.hurry();
			return true;
		},
	};
	return times;
}
