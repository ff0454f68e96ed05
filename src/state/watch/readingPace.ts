import type { Clock } from '../../base/clock.ts';

/**
 * How often things are read because somebody says that they changed, however often that is said: no more often than they
 * would have been polled at the fastest since the beginning, and once. What was quiet may be read a few times in a row.
 */
export interface ReadingPace {
	/** When the thing may be read; milliseconds since 1970. `everyMs`: how often it is polled at the fastest. */
	readyAtMs(thing: string, everyMs: number): number;
	/** It is read now. */
	spend(thing: string, everyMs: number): void;
	clockWentBack(byMs: number): void;
}

interface Saved {
	/** Readings that the thing has left. */
	readonly readings: number;
	readonly atMs: number;
}

/** So many readings in a row are saved up at most. */
const mostSaved = 6;
/** Things beyond as many that have all their readings left are forgotten. */
const mostThings = 1000;

export function readingPace({ nowMs }: Pick<Clock, 'nowMs'>): ReadingPace {
	const spent = new Map<string, Saved>();
	let first: Saved = { readings: 1, atMs: nowMs() };

	function left(thing: string, everyMs: number): number {
		const { readings, atMs } = spent.get(thing) ?? first;
		return Math.min(mostSaved, readings + (nowMs() - atMs) / everyMs);
	}

	return {
		readyAtMs(thing, everyMs) {
			const missing = Math.max(0, 1 - left(thing, everyMs));
			return nowMs() + Math.ceil(missing * everyMs);
		},
		spend(thing, everyMs) {
			spent.set(thing, { readings: left(thing, everyMs) - 1, atMs: nowMs() });
			if (spent.size > mostThings) {
				// What was first spent has saved most since.
				const [oldest] = spent.keys();
				spent.delete(oldest ?? thing);
			}
		},
		clockWentBack(byMs) {
			first = { ...first, atMs: first.atMs - byMs };
			spent.forEach((saved, thing) => spent.set(thing, { ...saved, atMs: saved.atMs - byMs }));
		},
	};
}
