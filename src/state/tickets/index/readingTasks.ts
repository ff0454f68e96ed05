import type { Clock } from '../../../base/clock.ts';
import { budgetedTimes } from '../../background/budgetedTask.ts';
import { requestBudget, type RequestBudget } from '../../background/requestBudget.ts';
import { pageToReread, ticketsToRecheck } from './rereadOrder.ts';
import type { TicketStore } from '../ticketStore.ts';
import { isInUse, type Tracked, type TrackedTrackers } from './trackedTrackers.ts';

/** One request that could be sent in the background. */
export interface Task {
	/** When it may run at the earliest. */
	readonly atMs: number;
	/** `undefined`: the list of one's own trackers. */
	readonly tracked: Tracked | undefined;
	/** The number at which the page begins; `undefined` for the newest. */
	readonly from: number | undefined;
	/** Tickets that are looked at in bulk, and no page. */
	readonly recheck?: readonly number[];
	readonly isNews: boolean;
	/** It reads what was never read. */
	readonly isFill: boolean;
	/** Waits for room in the budget and for nothing else. */
	readonly waitsForBudget: boolean;
}

/** What tasks are planned from. */
export interface ReadingTasksParts {
	readonly store: TicketStore;
	readonly budget: RequestBudget;
	/** What filling has by itself, and spent of that. */
	readonly fills: RequestBudget;
	readonly trackers: TrackedTrackers;
	readonly clock: Clock;
}

/** How reading stands now. Times are milliseconds since 1970. */
export interface ReadingTimes {
	/** When one's own trackers are due. */
	readonly ownMs: number;
	/** A delivery named them. */
	readonly isOwnTold: boolean;
	readonly restUntilMs: number;
	readonly lastReadMs: number;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/** How rarely at most news are read when there are none. */
export const mostNewsMs = 15 * minuteMs;
/** Between two pages of a long list. */
const fillPauseMs = 50;
/** Below this many requests an hour shares mean little, and what comes round again must not take all of them. */
const fewPerHour = 20;
/**
 * Shares of the budget: filling leaves room for re-reading, and that for news. What is watched may take all that filling
 * leaves, for ever, so filling has a tenth of each hour in turn with that.
 */
const shares = { soon: 0.7, fill: 0.8, reread: 0.9, news: 1 };
const leastFill = 0.1;

/** What filling has by itself of a budget. */
export function fillBudget(budget: RequestBudget, { nowMs }: Pick<Clock, 'nowMs'>): RequestBudget {
	return requestBudget(() => budget.perHour() * leastFill, nowMs);
}

/** How soon something comes round again: with few requests an hour, such things take half of them at most. */
export function repeatMs(
	wishedMs: number,
	{ budget, trackers }: Pick<ReadingTasksParts, 'budget' | 'trackers'>,
): number {
	const perHour = budget.perHour();
	// Each tracker's newest page comes round, and so does the list of one's own trackers.
	return perHour >= fewPerHour
		? wishedMs
		: Math.max(wishedMs, (2 * hourMs * (trackers.count() + 1)) / Math.max(1, perHour));
}

/** Everything that could be done, each with its time. What comes first in this order goes first when several are due. */
export function readingTasks(
	{ store, budget, fills, trackers, clock }: ReadingTasksParts,
	now: ReadingTimes,
): readonly Task[] {
	const all = trackers.wanted();
	const mayReread = budget.perHour() >= fewPerHour || !all.some(isToFill);
	return [ownTask(), ...all.map(newsTask), ...all.map(fillTask), ...all.map(rereadTask)].filter(
		(each) => each !== undefined,
	);

	function ownTask(): Task {
		const readyMs = budget.readyAtMs(shares.news, now.isOwnTold ? 'delivery' : 'poll');
		// A view's reading counts as well.
		const readMs = now.isOwnTold ? undefined : store.ownTrackersReadMs();
		const dueMs = Math.max(now.ownMs, (readMs ?? Number.NEGATIVE_INFINITY) + hourMs);
		return task({ dueMs, readyMs, tracked: undefined, from: undefined });
	}

	function newsTask(tracked: Tracked): Task | undefined {
		const isUnread = store.ticketList(tracked.ref).covered.length === 0;
		return isUnread
			? toFill(tracked, undefined)
			: task({
					dueMs: Math.max(newsDueMs(tracked), tracked.askedMs + repeatMs(0, { budget, trackers })),
					readyMs: budget.readyAtMs(
						goesFirst(tracked) ? shares.news : shares.reread,
						tracked.areNewsTold ? 'delivery' : 'poll',
					),
					tracked,
					from: undefined,
				});
	}

	/** Sooner than rarely only while there is room: lists and repositories have no other way, and pages are read again anyway. */
	function newsDueMs(tracked: Tracked): number {
		const isRoom = budget.readyAtMs(shares.soon) <= clock.nowMs();
		return isRoom || tracked.isHurried || goesFirst(tracked)
			? tracked.newsMs
			: Math.max(tracked.newsMs, tracked.askedMs + mostNewsMs);
	}

	/** News that nobody looks at or told of take their turn with those of lists and repositories. */
	function goesFirst(tracked: Tracked): boolean {
		return tracked.areNewsTold || isInUse(tracked, clock.nowMs());
	}

	function fillTask(tracked: Tracked): Task | undefined {
		const gap = store.ticketList(tracked.ref).gap();
		return gap === undefined ? undefined : toFill(tracked, gap);
	}

	function toFill(tracked: Tracked, from: number | undefined): Task {
		if (budget.isLifted) {
			// A person waits for what is known already.
			return { ...task({ dueMs: Number.POSITIVE_INFINITY, readyMs: 0, tracked, from }), isFill: true };
		}
		const inTurnMs = Math.max(budget.readyAtMs(shares.reread), fills.readyAtMs(1));
		const readyMs = Math.min(budget.readyAtMs(shares.fill), inTurnMs);
		return { ...task({ dueMs: now.lastReadMs + fillPauseMs, readyMs, tracked, from }), isFill: true };
	}

	/** With few requests an hour nothing is read again before everything was read once; what fails is not waited for. */
	function isToFill({ ref, failures }: Tracked): boolean {
		const list = store.ticketList(ref);
		return failures === 0 && (list.covered.length === 0 || list.gap() !== undefined);
	}

	function rereadTask(tracked: Tracked): Task | undefined {
		const isWished = tracked.wishedMs > 0 && tracked.wishedPages > 0;
		if (!mayReread && !isWished) {
			return undefined;
		}
		const nowMs = clock.nowMs();
		const readyMs = budget.readyAtMs(shares.reread);
		// Spread over the hour, and not even looked for more often, unless a person waits.
		const dueMs = isWished
			? tracked.wishedMs
			: Math.max(tracked.rereadMs, now.lastReadMs + hourMs / Math.max(1, budget.perHour()));
		if (dueMs > nowMs) {
			return task({ dueMs, readyMs, tracked, from: undefined });
		}
		const list = store.ticketList(tracked.ref);
		const wishedMs = isWished ? tracked.wishedMs : 0;
		const recheck = store.mostRechecked > 0 ? ticketsToRecheck(list, { nowMs, wishedMs }, store.mostRechecked) : [];
		const due = store.mostRechecked > 0 ? recheck[0] && { from: recheck[0] } : pageToReread(list, { nowMs, wishedMs });
		if (!due) {
			tracked.wishedMs = 0;
			tracked.rereadMs = nowMs + minuteMs;
			return task({ dueMs: tracked.rereadMs, readyMs, tracked, from: undefined });
		}
		return { ...task({ dueMs, readyMs, tracked, from: due.from }), isNews: due.from === undefined, recheck };
	}

	function task(wish: {
		readonly dueMs: number;
		readonly readyMs: number;
		readonly tracked: Tracked | undefined;
		readonly from: number | undefined;
	}): Task {
		const { readyMs } = wish;
		const wishedMs = Math.max(wish.dueMs, wish.tracked?.restUntilMs ?? 0);
		const { dueMs, atMs } = budgetedTimes(now, { wishedMs, readyMs });
		return {
			atMs,
			tracked: wish.tracked,
			from: wish.from,
			isNews: wish.from === undefined,
			isFill: false,
			waitsForBudget: readyMs > dueMs + secondMs && dueMs <= clock.nowMs() + secondMs,
		};
	}
}
