import type { Clock } from '../../base/clock.ts';
import { isUnreachable } from '../../forge/isAway.ts';
import { jittered, nextEveryMs, soonMs } from '../background/adaptivePace.ts';

/** When one thing is read again: soon while something happens to it, rarely while nothing does. Milliseconds since 1970. */
export interface PollTimes {
	readonly dueMs: number;
	/** When it was last read; `undefined` before that. */
	readonly readMs: number | undefined;
	/** The last try failed. */
	readonly hasFailed: boolean;
	/** When that was. */
	readonly failedMs: number | undefined;
	/** Somebody told of it since it was last read. */
	readonly isTold: boolean;
	/** It was read, and told something new or not. `askedMs`: when that reading began; now when left out. */
	read(isNew: boolean, askedMs?: number): void;
	/** It failed, and is left alone for longer each time; not where the forge was not reached, which says nothing of it. */
	failed(error: unknown): void;
	/** It is due now. */
	hurry(): void;
	/** The same, because somebody told that there is something new. */
	told(): void;
	clockWentBack(byMs: number): void;
}

export interface PollTimesParts {
	readonly clock: Pick<Clock, 'nowMs'>;
	/** A number from 0 to 1, so that many windows and things do not ask at the same moments. */
	readonly random: () => number;
	/** How often it is read while nothing happens to it; every 15 minutes when left out. */
	readonly rarelyMs?: number;
}

const minuteMs = 60_000;
const usualRarelyMs = 15 * minuteMs;
const mostRestMs = 6 * 60 * minuteMs;
/** The forge may be there again at any time. */
const mostUnreachedMs = 10 * minuteMs;

/** Due at once, and then by what is found. */
export function pollTimes({ clock, random, rarelyMs = usualRarelyMs }: PollTimesParts): PollTimes {
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
		get readMs() {
			return readMs;
		},
		get hasFailed() {
			return failures > 0;
		},
		get failedMs() {
			return failedMs;
		},
		get isTold() {
			return isTold;
		},
		read(isNew, askedMs = clock.nowMs()) {
			failures = 0;
			failedMs = undefined;
			readMs = askedMs;
			// News that a delivery reported says nothing about how often to poll.
			everyMs = isTold ? everyMs : nextEveryMs(isNew, { everyMs, soonestMs: soonMs, rarelyMs });
			isTold = false;
			next(everyMs);
		},
		failed(error) {
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
		hurry() {
			everyMs = soonMs;
			dueMs = Math.min(dueMs, clock.nowMs());
		},
		told() {
			isTold = true;
			dueMs = Math.min(dueMs, clock.nowMs());
		},
		clockWentBack(byMs) {
			dueMs -= byMs;
			readMs = readMs === undefined ? undefined : readMs - byMs;
			failedMs = failedMs === undefined ? undefined : failedMs - byMs;
		},
	};
}

/** How a thing's reading stands, for the age of the inbox. */
export function readingOf({ readMs, hasFailed, failedMs }: PollTimes): {
	readonly readMs: number | undefined;
	readonly hasFailed: boolean;
	readonly failedMs: number | undefined;
} {
	return { readMs, hasFailed, failedMs };
}
