import type { Clock } from '@forge-desk/base/clock.ts';
import { onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { nextEveryMs } from '../../../store/background/schedule.ts';

/** Shortest and longest poll interval. */
const soonestMs = 20_000;
const longestMs = 120_000;

/**
 * Starts the interval now, at the page's first load. `isWatched`: false while the page is hidden. `read` polls the newest
 * entries, and resolves to true if any is new; an error counts as nothing new.
 */
export function newestPoll(clock: Clock, isWatched: () => boolean, read: () => Promise<boolean>) {
	let pauseMs = soonestMs;
	let readAtMs = clock.nowMs();
	let waiting: Disposable = onDispose(() => undefined);
	let isReading = false;
	let isOver = false;

	function wait(): void {
		waiting.dispose();
		if (!isOver && !isReading && isWatched()) {
			waiting = clock.after(Math.max(0, readAtMs + pauseMs - clock.nowMs()), () => void ask());
		}
	}

	async function ask(): Promise<void> {
		isReading = true;
		const isNews = await read().catch(() => false);
		isReading = false;
		readAtMs = clock.nowMs();
		pauseMs = nextEveryMs(isNews, pauseMs, soonestMs, longestMs);
		wait();
	}

	wait();
	return {
		/** Somebody does something on the page: news are worth asking for soon again. */
		active() {
			if (pauseMs !== soonestMs) {
				pauseMs = soonestMs;
				wait();
			}
		},
		/** The page became visible or hidden. */
		watchedChanged() {
			pauseMs = soonestMs;
			wait();
		},
		dispose() {
			isOver = true;
			waiting.dispose();
		},
	};
}
