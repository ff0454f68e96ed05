import { isAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { DeliveryHint } from '../../forge/deliveryHint.ts';
import type { Background, BackgroundTask, BackgroundTimes } from '../background/backgroundLoop.ts';
import { budgetedTask } from '../background/budgetedTask.ts';
import type { HintedThing } from './hintedThing.ts';
import { hintedThings, type HintedThingsParts } from './hintedThings.ts';
import { readingPace } from './readingPace.ts';

export interface HintedReadsParts extends HintedThingsParts {
	readonly background: Background;
	readonly clock: Clock;
}

/** Reads the things in deliveries. */
export interface HintedReads extends Disposable {
	take(hint: DeliveryHint): void;
}

interface Waiting {
	readonly thing: HintedThing;
	/** First and last delivery since the last read. */
	readonly firstMs: number;
	readonly lastMs: number;
	readonly failures: number;
	/** Back-off after a failure. */
	readonly restUntilMs: number;
}

/** Ahead of polling. */
const share = 0.95;
const minuteMs = 60_000;
/** Longest debounce for a burst of deliveries. */
const mostSettleMs = 10_000;
/** Polling takes over after so many failures. */
const mostFailures = 3;

/**
 * Queues one read per thing, however many deliveries arrive. A delivery during the read queues another one.
 * `readingPace` limits the rate.
 */
export function hintedReads(parts: HintedReadsParts): HintedReads {
	const { background, clock } = parts;
	const owned = new Disposables();
	const waiting = new Map<string, Waiting>();
	const pace = readingPace(clock);
	const things = hintedThings({ ...parts, spend: () => background.budget.spend() });

	owned.add(
		background.loop.add({
			tasks: (times) => [...waiting].map(([key, each]) => task(times, key, each)),
			hurry: () => undefined,
			clockWentBack(byMs) {
				pace.clockWentBack(byMs);
				waiting.forEach((each, key) =>
					waiting.set(key, {
						...each,
						firstMs: each.firstMs - byMs,
						lastMs: each.lastMs - byMs,
						restUntilMs: each.restUntilMs - byMs,
					}),
				);
			},
		}),
	);

	function task(times: BackgroundTimes, key: string, each: Waiting): BackgroundTask {
		const { thing, firstMs, lastMs, restUntilMs } = each;
		const settledMs =
			thing.settleMs === undefined ? firstMs : Math.min(lastMs + thing.settleMs, firstMs + mostSettleMs);
		return budgetedTask(times, {
			budget: background.budget,
			share,
			wishedMs: Math.max(settledMs, restUntilMs, pace.readyAtMs(key, thing.everyMs)),
			isApart: thing.isApart,
			isTold: true,
			async read(signal) {
				// A delivery from here on queues another read.
				waiting.delete(key);
				pace.spend(key, thing.everyMs);
				try {
					const others = await thing.read(lastMs, signal);
					others.forEach(take);
				} catch (error) {
					const isLast = each.failures + 1 >= mostFailures;
					if (!isAbort(error) && !isLast && !waiting.has(key)) {
						waiting.set(key, { ...each, failures: each.failures + 1, restUntilMs: clock.nowMs() + 5 * minuteMs });
					}
					throw error;
				}
			},
			failed: () => undefined,
		});
	}

	function take(hint: DeliveryHint): void {
		for (const thing of things(hint, countOf)) {
			const nowMs = clock.nowMs();
			const before = waiting.get(thing.key) ?? { firstMs: nowMs, failures: 0, restUntilMs: 0 };
			waiting.set(thing.key, { ...before, thing, lastMs: nowMs });
		}
		background.loop.plan();
	}

	function countOf(prefix: string): number {
		return [...waiting.keys()].filter((key) => key.startsWith(prefix)).length;
	}

	return { take, dispose: () => owned.dispose() };
}
