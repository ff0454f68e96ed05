import { Emitter, type Event } from '../../base/event.ts';
import { onDispose, type Disposable } from '../../base/lifecycle.ts';
import type { Background } from '../background/backgroundLoop.ts';
import type { Watched } from '../inbox/watched.ts';

/** How something that is read for the inbox stands. Times are milliseconds since 1970. */
export interface WatchReading {
	readonly watched: Watched;
	/** When this window last read it; `undefined` before that. */
	readonly readMs: number | undefined;
	/** The last try to read it failed, for a reason of its own. */
	readonly hasFailed: boolean;
}

/** What this window reads for the inbox of an account. Empty in a window that leaves that to another one. */
export interface WatchReadings {
	all(): readonly WatchReading[];
	/** Makes everything due now. Answers when the budget of the hour allows the first of it; now where it does. */
	hurry(): number;
	/** Requests that an hour allows, those of the last hour, and when polling may send the next; milliseconds since 1970. */
	budget(): { readonly perHour: number; readonly spent: number; readonly readyMs: number };
	/** Something was read, or failed. */
	readonly onDidRead: Event<void>;
}

/** The same for those who read. */
export interface ReadingSources {
	/** What one of them reads now, until it is disposed. */
	add(source: () => readonly WatchReading[]): Disposable;
	/** Something was read, or failed. */
	told(): void;
}

/** What all that is read for the inbox spends at most of an hour's requests. */
const share = 0.9;

export function watchReadings({ loop, budget }: Background): WatchReadings & ReadingSources & Disposable {
	const sources = new Set<() => readonly WatchReading[]>();
	const read = new Emitter<void>();
	return {
		all: () => [...sources].flatMap((source) => source()),
		hurry() {
			loop.hurry();
			return budget.readyAtMs(share);
		},
		budget: () => ({ perHour: budget.perHour(), spent: budget.spent(), readyMs: budget.readyAtMs(share) }),
		onDidRead: read.event,
		add(source) {
			sources.add(source);
			read.fire();
			return onDispose(() => {
				sources.delete(source);
				read.fire();
			});
		},
		told: () => read.fire(),
		dispose: () => read.dispose(),
	};
}

/**
 * Of when the whole is: the oldest last reading. `undefined` while something was never tried, or nothing is read at all; what
 * failed from the start has no time to be told.
 */
export function asOfMs(readings: readonly WatchReading[]): number | undefined {
	const times = readings
		.filter(({ readMs, hasFailed }) => readMs !== undefined || !hasFailed)
		.map(({ readMs }) => readMs ?? Number.NaN);
	const oldest = Math.min(...times);
	return Number.isFinite(oldest) ? oldest : undefined;
}
