import type { Clock } from '../../../base/clock.ts';
import { onDispose, type Disposable } from '../../../base/lifecycle.ts';

/** Shortest and longest poll interval. */
const soonestMs = 20_000;
const longestMs = 120_000;

export interface NewestPollParts {
	readonly clock: Clock;
	/** False while the page is hidden. */
	readonly isWatched: () => boolean;
	/** Polls the newest entries; resolves to true if any is new. An error counts as nothing new. */
	readonly read: () => Promise<boolean>;
}

/** Starts the interval now, at the page's first load. */
export function newestPoll({ clock, isWatched, read }: NewestPollParts) {
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
		pauseMs = isNews ? soonestMs : Math.min(longestMs, pauseMs * 1.5);
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
