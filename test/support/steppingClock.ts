import type { Clock } from '@forge-desk/base/clock.ts';
import { onDispose } from '@forge-desk/base/lifecycle.ts';

/** A clock whose waits end one at a time, in order of time, with all other work done in between. */
export interface SteppingClock extends Clock {
	/** Advances the time. */
	pass(byMs: number): Promise<void>;
	/** Waits like all other callers. */
	wait(byMs: number): Promise<void>;
}

/** `work`: time that passes at each look at the clock, evaluated each time. */
export function steppingClock(work: () => number, startMs = Date.UTC(2026, 10, 20, 18)): SteppingClock {
	let now = startMs;
	const timers = new Set<{ readonly atMs: number; readonly run: () => void }>();

	function after(delayMs: number, run: () => void): ReturnType<Clock['after']> {
		const timer = { atMs: now + delayMs, run };
		timers.add(timer);
		return onDispose(() => void timers.delete(timer));
	}

	return {
		nowMs: () => {
			now += work();
			return now;
		},
		after,
		wait: (byMs) => new Promise((resolve) => void after(byMs, resolve)),
		async pass(byMs) {
			const untilMs = now + byMs;
			for (;;) {
				await new Promise((resolve) => void setImmediate(resolve));
				const [next] = [...timers].toSorted((a, b) => a.atMs - b.atMs);
				if (!next || next.atMs > untilMs) {
					now = Math.max(now, untilMs);
					return;
				}
				timers.delete(next);
				now = Math.max(now, next.atMs);
				next.run();
			}
		},
	};
}
