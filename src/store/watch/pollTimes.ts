import type { Clock } from '../../base/clock.ts';
import { isUnreachable } from '../../forge/port/isAway.ts';
import { jittered, nextEveryMs, soonMs } from '../background/adaptivePace.ts';

export interface PollTimesParts {
	readonly clock: Pick<Clock, 'nowMs'>;
	/** Between 0 and 1. Spreads the requests of many windows and things. */
	readonly random: () => number;
	/** Longest interval; 15 minutes by default. */
	readonly rarelyMs?: number;
}

const minuteMs = 60_000;
const usualRarelyMs = 15 * minuteMs;
const mostRestMs = 6 * 60 * minuteMs;
/** The forge may return at any time. */
const mostUnreachedMs = 10 * minuteMs;

/** Poll schedule of one thing: short intervals while it changes, long ones otherwise. Milliseconds since 1970. */
export type PollTimes = ReturnType<typeof pollTimes>;

/** Starts due. Each result sets the next interval. */
export function pollTimes({ clock, random, rarelyMs = usualRarelyMs }: PollTimesParts) {
	let dueMs = clock.nowMs();
	let everyMs = soonMs;
	let failures = 0;
	let readMs: number | undefined;
	let failedMs: number | undefined;
	let isTold = false;

	function next(afterMs: number): void {
		dueMs = clock.nowMs() + jittered(afterMs, random);
	}

	return {
		get dueMs() {
			return dueMs;
		},
		/** `undefined` before the first read. */
		get readMs() {
			return readMs;
		},
		get hasFailed() {
			return failures > 0;
		},
		get failedMs() {
			return failedMs;
		},
		/** A hint came after the last read. */
		get isTold() {
			return isTold;
		},
		/** Call after a read. `isNew`: it found news. `askedMs`: start of the read, now by default. */
		read(isNew: boolean, askedMs: number = clock.nowMs()) {
			failures = 0;
			failedMs = undefined;
			readMs = askedMs;
			// News that a delivery reported says nothing about how often to poll.
			everyMs = isTold ? everyMs : nextEveryMs(isNew, { everyMs, soonestMs: soonMs, rarelyMs });
			isTold = false;
			next(everyMs);
		},
		/** Backs off, except if the forge was unreachable, which is no fault of the thing. */
		failed(error: unknown) {
			failedMs = clock.nowMs();
			const restMs = 5 * minuteMs * 2 ** failures;
			if (isUnreachable(error)) {
				next(Math.min(mostUnreachedMs, restMs));
				failures = Math.max(failures, 1);
			} else {
				next(Math.min(mostRestMs, restMs));
				failures += 1;
			}
		},
		/** Makes it due now. */
		hurry() {
			everyMs = soonMs;
			dueMs = Math.min(dueMs, clock.nowMs());
		},
		/** The same for a hint. */
		told() {
			isTold = true;
			dueMs = Math.min(dueMs, clock.nowMs());
		},
		clockWentBack(byMs: number) {
			dueMs -= byMs;
			readMs = readMs === undefined ? undefined : readMs - byMs;
			failedMs = failedMs === undefined ? undefined : failedMs - byMs;
		},
	};
}

/** For the age of the inbox. */
export function readingOf({ readMs, hasFailed, failedMs }: PollTimes): {
	readonly readMs: number | undefined;
	readonly hasFailed: boolean;
	readonly failedMs: number | undefined;
} {
	return { readMs, hasFailed, failedMs };
}
