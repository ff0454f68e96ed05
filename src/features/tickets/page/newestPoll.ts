import type { Clock } from '../../../base/clock.ts';
import { onDispose, type Disposable } from '../../../base/lifecycle.ts';

/** The soonest that anything is asked again, and the longest pause while nothing happens. */
const soonestMs = 20_000;
const longestMs = 120_000;

/** What polling needs. */
export interface NewestPollParts {
	readonly clock: Clock;
	/** False while nobody can see the page. */
	readonly isWatched: () => boolean;
	/** Reads what is newest and tells whether there was anything new. A failure counts as nothing new. */
	readonly read: () => Promise<boolean>;
}

/** Asks for news while somebody looks, less and less often while there are none. Disposing ends it. */
export interface NewestPoll extends Disposable {
	/** Somebody does something on the page: news are worth asking for soon again. */
	active(): void;
	/** The page came into view or went out of it. */
	watchedChanged(): void;
}

/** Counts from now, when the page was read for the first time. */
export function newestPoll({ clock, isWatched, read }: NewestPollParts): NewestPoll {
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
		active() {
			if (pauseMs !== soonestMs) {
				pauseMs = soonestMs;
				wait();
			}
		},
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
