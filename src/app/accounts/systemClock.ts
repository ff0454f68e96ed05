import type { Clock } from '../../base/clock.ts';
import { onDispose } from '../../base/lifecycle.ts';

/**
 * The machine's clock, except that it never goes back: after the wall clock was set back, it runs at half speed until
 * both agree. It follows the wall clock forward, because timers and `performance.now` may stop while the machine sleeps.
 */
export function forwardClock(wallMs: () => number, upMs: () => number): () => number {
	let [latestMs, latestUpMs] = [wallMs(), upMs()];
	return () => {
		const nowUpMs = upMs();
		latestMs = Math.max(wallMs(), latestMs + (nowUpMs - latestUpMs) / 2);
		latestUpMs = nowUpMs;
		return Math.floor(latestMs);
	};
}

export const systemClock: Clock = {
	nowMs: Date.now,
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

/** For the loop and all due times of accounts. Expiry and shown times use `systemClock`: they must follow a clock that was far ahead at the start. */
export const pollClock: Clock = { ...systemClock, nowMs: forwardClock(Date.now, performance.now.bind(performance)) };
