import type { Clock } from '../../base/clock.ts';

/** Rate limit of hinted reads: on average the fastest poll interval. A quiet thing saves up a few reads. */
export interface ReadingPace {
	/** Time of the next allowed read, in milliseconds since 1970. `everyMs`: fastest poll interval. */
	readyAtMs(thing: string, everyMs: number): number;
	/** Call before a read. */
	spend(thing: string, everyMs: number): void;
	clockWentBack(byMs: number): void;
}

interface Saved {
	/** Reads left. */
	readonly readings: number;
	readonly atMs: number;
}

/** Limit of saved reads in a row. */
const mostSaved = 6;
/** Beyond this number, forgets things with all their reads left. */
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
				// The first one has saved the most since.
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
