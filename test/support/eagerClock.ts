import { onDispose } from '@forge-desk/base/lifecycle.ts';
import type { Clock } from '@forge-desk/base/clock.ts';

/** A clock whose waits end immediately; it records them. */
export interface EagerClock extends Clock {
	readonly waitedMs: readonly number[];
}

export function eagerClock(startMs = Date.UTC(2026, 10, 20, 12)): EagerClock {
	const waitedMs: number[] = [];
	let now = startMs;
	return {
		waitedMs,
		nowMs: () => now,
		after(delayMs, work) {
			waitedMs.push(delayMs);
			const immediate = setImmediate(() => {
				now += delayMs;
				work();
			});
			return onDispose(() => clearImmediate(immediate));
		},
	};
}
