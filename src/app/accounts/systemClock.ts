import type { Clock } from '@forge-desk/base/clock.ts';
import { onDispose } from '@forge-desk/base/lifecycle.ts';

export const systemClock: Clock = {
	nowMs: () => Date.now(),
	after(delayMs, work) {
		if (delayMs === 0) {
			// Yielding needs no timer.
			const turn = setImmediate(work);
			return onDispose(() => clearImmediate(turn));
		}
		const timer = setTimeout(work, delayMs);
		return onDispose(() => clearTimeout(timer));
	},
};
