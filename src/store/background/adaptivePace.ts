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
	return nextEveryMs(isNew, { everyMs, soonestMs: roundMs, rarelyMs });
}

/** Next poll interval: short after news, otherwise growing. `everyMs`: the previous interval. */
export function nextEveryMs(
	isNew: boolean,
	{ everyMs, soonestMs, rarelyMs }: { readonly [K in 'everyMs' | 'soonestMs' | 'rarelyMs']: number },
): number {
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
