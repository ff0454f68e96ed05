import { delay } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';

/** Time given to a server that may still be at it, before each further look. */
const pausesMs = [1000, 3000] as const;

/** Looking for something that may still be on its way. */
export interface Looking<T> {
	readonly look: (signal: AbortSignal) => Promise<T>;
	/** True when there is no need to look again. */
	readonly isFound: (seen: T) => boolean;
}

/** Looks at once, and a few times more while it is not found. Answers what the last look saw. */
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
