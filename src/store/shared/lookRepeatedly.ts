import { delay } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';

/** Delays before further checks, because the server may still be working. */
const pausesMs = [1000, 3000] as const;

/**
 * Checks immediately, then a few more times until found. Returns the last result. `isFound`: true to stop checking.
 */
export async function lookRepeatedly<T>(
	look: (signal: AbortSignal) => Promise<T>,
	isFound: (seen: T) => boolean,
	clock: Clock,
	signal: AbortSignal,
): Promise<T> {
	let seen = await look(signal);
	for (const pauseMs of pausesMs) {
		if (isFound(seen)) {
			return seen;
		}
		await delay(clock, pauseMs, signal);
		seen = await look(signal);
	}
	return seen;
}
