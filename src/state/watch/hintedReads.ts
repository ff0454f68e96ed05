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

/** Reads again what deliveries name. */
export interface HintedReads extends Disposable {
	take(hint: DeliveryHint): void;
}

interface Waiting {
	readonly thing: HintedThing;
	/** When it was first and last named since it was last read. */
	readonly firstMs: number;
	readonly lastMs: number;
	readonly failures: number;
	/** It failed, and waits until then. */
	readonly restUntilMs: number;
}

/** Comes before polling. */
const share = 0.95;
const minuteMs = 60_000;
/** Deliveries that follow each other closely delay a reading by no more than this. */
const mostSettleMs = 10_000;
/** After this many failures, polling finds it. */
const mostFailures = 3;

/**
 * What deliveries name is due once, however often it is named before it is read, and again when it is named while it is
 * being read. How often that may be is `readingPace`'s.
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
				// Named again from here on, it is read again.
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
