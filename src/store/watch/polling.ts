import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { ContentArea } from 'sourcehut/port/instance.ts';
import type { Watched } from '../inbox/watched.ts';
import { isRefused, isUnreachable } from 'sourcehut/port/isAway.ts';
import { doubling, jittered, schedule, soonMs } from '../background/schedule.ts';
import type { BackgroundTask } from '../background/backgroundLoop.ts';
import type { WatchContext } from './watchContext.ts';

/** Result of a poll. `more`: poll again now. */
export type Polled = 'nothing' | 'news' | 'more';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const usualRarelyMs = 15 * minuteMs;
const restMs = doubling(5 * minuteMs, 6 * hourMs);
/** The forge may return at any time. */
const unreachedRestMs = doubling(5 * minuteMs, 10 * minuteMs);
/** Behind the changes that the ticket index finds. */
const share = 0.9;

export type Polling = ReturnType<typeof polling>;

/**
 * Poll schedule of one thing: short intervals while it changes, long ones otherwise. Starts due. `rarelyMs`: longest interval. `after`: further requests of a poll. The poll counts as read before them,
 * because one mail that always fails must not delay the news of its whole list.
 */
export function polling(
	{ background, readings, clock, random }: WatchContext,
	area: ContentArea,
	ask: (signal: AbortSignal, askedMs: number) => Promise<Polled>,
	rarelyMs = usualRarelyMs,
	after?: (signal: AbortSignal) => Promise<void>,
) {
	const times = schedule(clock, clock.nowMs(), (failures, error) =>
		jittered(isUnreachable(error) ? unreachedRestMs(failures) : restMs(failures), random),
	);

	async function read(signal: AbortSignal): Promise<void> {
		const startMs = clock.nowMs();
		times.asked();
		const found = await ask(signal, startMs);
		times.answered();
		times.pollAgain(found === 'news', soonMs, rarelyMs, random);
		if (found === 'more') {
			times.everyMs = soonMs;
			// Behind other things that are due.
			times.wait(0);
		}
		readings.fire();
		await after?.(signal);
	}

	return {
		task: (): BackgroundTask => ({
			dueMs: times.dueMs,
			share,
			area,
			isTold: times.isHinted,
			read,
			failed(error) {
				times.failed(error);
				readings.fire();
			},
		}),
		reading: times.reading,
		/** A hint came after the last read. */
		get isTold() {
			return times.isHinted;
		},
		/** Makes it due now. */
		hurry(): void {
			times.everyMs = soonMs;
			times.hurry();
		},
		/** A hint came at `sinceMs`: makes it due, unless the last read began later. */
		due(sinceMs: number): void {
			if (times.hint(sinceMs)) {
				background.loop.plan();
			}
		},
	};
}

/** Polls the things that `wanted` names now, and reports their ages. `wanted` keeps the polling of a known thing. */
export function pollWanted(
	{ background, readings, inbox }: WatchContext,
	wanted: () => readonly { readonly watched: Watched; readonly polling: Polling }[],
): Disposable {
	const owned = new Disposables();
	owned.add(inbox.onDidChange(({ areChoices }) => areChoices && background.loop.plan()));
	owned.add(
		background.loop.add({
			tasks: () => wanted().map((each) => each.polling.task()),
			hurry: () => wanted().forEach((each) => each.polling.hurry()),
		}),
	);
	owned.add(readings.add(() => wanted().map((each) => ({ watched: each.watched, ...each.polling.reading() }))));
	return owned;
}

/** Part of the hourly budget for rare polling. */
const rarePart = 0.1;
/** Interval between looks for due things. */
const lookMs = 5 * minuteMs;

/** Single requests with a small part of the hourly budget. `read` calls `spend` before each, or `rest` without a due thing. */
export function rarePolling({ background: { budget }, clock }: WatchContext, read: BackgroundTask['read']) {
	let lastMs = clock.nowMs();
	let lookAgainMs = 0;
	let hurriedMs: number | undefined;

	function rest(): void {
		hurriedMs = undefined;
		lookAgainMs = clock.nowMs() + lookMs;
	}

	return {
		/** Never due if the budget allows none. */
		task: () => ({
			dueMs: hurriedMs ?? Math.max(lookAgainMs, lastMs + hourMs / (budget.perHour() * rarePart)),
			read,
			failed: rest,
		}),
		spend(): void {
			lastMs = clock.nowMs();
			budget.spend();
		},
		/** Waits only for the budget, until the next `rest`. */
		hurry(): void {
			hurriedMs = clock.nowMs();
			lastMs = Math.min(lastMs, hurriedMs);
		},
		rest,
		isHurried: (): boolean => hurriedMs !== undefined,
	};
}

/** False if the forge refuses. */
export async function answered(reading: Promise<unknown>): Promise<boolean> {
	try {
		await reading;
		return true;
	} catch (error) {
		if (!isRefused(error)) {
			throw error;
		}
		return false;
	}
}
