const minuteMs = 60_000;
const growth = 1.5;
/** Up to this part of a time is taken away from it. */
const jitter = 0.2;

/** How soon a thing is read again after something new was found in it, unless somebody looks at it. */
export const soonMs = 2 * minuteMs;
/** No thing that nobody looks at is polled more often. */
export const fastestMs = soonMs * (1 - jitter);

/**
 * How long after a reading the next one comes: soon where it found something new, and else each time later. `everyMs`: how
 * long after the one before it came.
 */
export function nextEveryMs(
	isNew: boolean,
	{ everyMs, soonestMs, rarelyMs }: { readonly [K in 'everyMs' | 'soonestMs' | 'rarelyMs']: number },
): number {
	return isNew ? soonestMs : Math.min(rarelyMs, Math.max(soonestMs, everyMs * growth));
}

/** A time made shorter by chance, so that many windows and things do not ask at the same moments. `random`: from 0 to 1. */
export function jittered(timeMs: number, random: () => number): number {
	return timeMs * (1 - jitter * random());
}
