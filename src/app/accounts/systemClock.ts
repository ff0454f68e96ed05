import type { Clock } from '../../base/clock.ts';
import { onDispose } from '../../base/lifecycle.ts';

/** The machine's own time. */
export const systemClock: Clock = {
	nowMs: () => Date.now(),
	after(delayMs, work) {
		if (delayMs === 0) {
			// Whoever only lets others have their turn waits for no timer.
			const turn = setImmediate(work);
			return onDispose(() => clearImmediate(turn));
		}
		const timer = setTimeout(work, delayMs);
		return onDispose(() => clearTimeout(timer));
	},
};
