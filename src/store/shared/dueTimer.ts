import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';

/** Timers overflow after 24 days, and stand still while the computer sleeps. */
const longestWaitMs = 60_000;

/** Calls `onDue` after one or more of the times. Its argument is true for the times since the last call. */
export function dueTimer(clock: Clock, onDue: (isDue: (atMs: number) => boolean) => void) {
	let timer: Disposable | undefined;

	function wait(times: readonly number[]): void {
		timer?.dispose();
		const sinceMs = clock.nowMs();
		const nextMs = times.reduce((soonest, atMs) => (atMs > sinceMs ? Math.min(soonest, atMs) : soonest), Infinity);
		timer =
			nextMs === Infinity
				? undefined
				: clock.after(Math.min(nextMs - sinceMs, longestWaitMs), () => {
						const nowMs = clock.nowMs();
						wait(times);
						if (nextMs <= nowMs) {
							onDue((atMs) => atMs > sinceMs && atMs <= nowMs);
						}
					});
	}

	return { wait, dispose: () => timer?.dispose() };
}
