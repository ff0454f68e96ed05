import type { Clock } from '../../base/clock.ts';
import { onDispose } from '../../base/lifecycle.ts';

/** The machine's own time. */
export const systemClock: Clock = {
	nowMs: () => Date.now(),
	after(delayMs, work) {
		const timer = setTimeout(work, delayMs);
		return onDispose(() => clearTimeout(timer));
	},
};
