import { delay } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';

/** Delays before further checks, because the server may still be working. */
const pausesMs = [1000, 3000] as const;

export interface Looking<T> {
	readonly look: (signal: AbortSignal) => Promise<T>;
	/** True to stop checking. */
	readonly isFound: (seen: T) => boolean;
}

/** Checks immediately, then a few more times until found. Returns the last result. */
export async function lookRepeatedly<T>({ look, isFound }: Looking<T>, clock: Clock, signal: AbortSignal): Promise<T> {
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
