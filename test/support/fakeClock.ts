import type { Clock } from '@forge-desk/base/clock.ts';

/** A clock that only tests advance. */
export interface FakeClock extends Clock {
	advance(byMs: number): void;
}

/** Starts at `startMs`. */
export function fakeClock(startMs = Date.UTC(2026, 10, 20, 12)): FakeClock {
	let now = startMs;
	const timers = new Map<number, { readonly atMs: number; readonly work: () => void }>();
	let last = 0;
	return {
		nowMs: () => now,
		after(delayMs, work) {
			last += 1;
			const id = last;
			timers.set(id, { atMs: now + delayMs, work });
			return { dispose: () => void timers.delete(id) };
		},
		advance(byMs) {
			now += byMs;
			for (const [id, { atMs, work }] of Array.from(timers)) {
				if (atMs <= now) {
					timers.delete(id);
					work();
				}
			}
		},
	};
}
