import type { Clock } from '@forge-desk/base/clock.ts';
import { requestBudget, type RequestBudget } from '../../background/requestBudget.ts';
import { pageToReread, ticketsToRecheck } from './rereadOrder.ts';
import type { TicketStore } from '../ticketStore.ts';
import { isInUse, type ChangeRounds, type Tracked, type TrackedTrackers } from './trackedTrackers.ts';

/** A possible background request. */
export interface Task {
	/** Now at the earliest, so that among several due tasks the first wins. */
	readonly dueMs: number;
	readonly share?: number;
	readonly readyMs?: number;
	/** `undefined`: the list of own trackers, or a round. */
	readonly tracked: Tracked | undefined;
	/** Finds the trackers with changes. */
	readonly isRound?: true;
	/** First ticket number of the page; `undefined` for the newest. */
	readonly from: number | undefined;
	/** Tickets for a bulk check instead of a page. */
	readonly recheck?: readonly number[];
	readonly isNews: boolean;
	/** Counts against the pace of trackers that rounds cover. */
	readonly isSlow?: boolean;
	/** Reads an unread page. */
	readonly isFill: boolean;
	readonly cause?: 'fill';
}

/** Times are milliseconds since 1970. */
export interface ReadingTimes {
	/** Due time of the own trackers. */
	readonly ownMs: number;
	/** A webhook reported a change of own trackers. */
	readonly isOwnTold: boolean;
	readonly lastReadMs: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Longest poll interval for a quiet tracker. */
export const mostNewsMs = 15 * minuteMs;
/** Pause between two pages of a long list. */
const fillPauseMs = 50;
/** So many pages of an hour are read at once, the others one after another. */
const mostQuickFills = 14;
/** Below this hourly budget, shares are too coarse, and repeated polls must not use all of it. */
const fewPerHour = 20;
/**
 * Cumulative budget shares by priority: fills leave room for re-reads, re-reads for news. Watched items could use
 * everything that fills leave, so fills also have a quarter of their own.
 */
const shares = { soon: 0.7, fill: 0.8, reread: 0.9, news: 1 };
const leastFill = 0.25;
/** Rereads of trackers that rounds cover, in an hour. They find assignments and labels. */
const slowRereads = 3;

/** Plans the background requests for the tickets of one account. */
export function readingTasks(
	store: TicketStore,
	budget: RequestBudget,
	trackers: TrackedTrackers,
	rounds: ChangeRounds,
	clock: Clock,
) {
	/** Separate budget for fills. */
	const fills = requestBudget(() => budget.perHour() * leastFill, clock);
	let filledMs = 0;
	let slowMs = 0;

	/** Tasks for new and unread tickets with their times. Among several due tasks, the first wins. */
	function tasks(now: ReadingTimes): readonly Task[] {
		const all = trackers.wanted();
		return [
			ownTask(now),
			roundTask(),
			...all.map((each) => newsTask(each, now)),
			...all.map((each) => fillTask(each, now)),
		].filter((each) => each !== undefined);
	}

	/** Tasks for known tickets. On a small budget they take turns with the others. */
	function rereads(now: ReadingTimes): readonly Task[] {
		if (roundMs() <= clock.nowMs()) {
			// A round may confirm them.
			return [];
		}
		const all = trackers.wanted();
		const mayReread = budget.perHour() >= fewPerHour || !all.some(isToFill);
		return all.map((tracked) => rereadTask(tracked, now, mayReread)).filter((each) => each !== undefined);
	}

	/** Poll interval; stretched on a small budget, so that polls use at most half of it. */
	function repeatMs(wishedMs: number): number {
		const perHour = budget.perHour();
		// One newest page per tracker, plus the list of own trackers.
		return perHour >= fewPerHour
			? wishedMs
			: Math.max(wishedMs, (2 * hourMs * (trackers.count() + 1)) / Math.max(1, perHour));
	}

	function ownTask(now: ReadingTimes): Task {
		// A view's read counts too.
		const readMs = now.isOwnTold ? undefined : store.trackers.ownReadMs();
		const dueMs = Math.max(now.ownMs, (readMs ?? Number.NEGATIVE_INFINITY) + hourMs);
		return { ...task(dueMs, undefined, undefined), share: shares.news };
	}

	function roundTask(): Task {
		return { ...task(roundMs(), undefined, undefined), share: shares.news, isRound: true };
	}

	/** A small budget has no room for rounds that read no tickets. */
	function areRoundsOn(): boolean {
		return store.mostConfirmed > 0 || budget.perHour() >= fewPerHour;
	}

	function roundMs(): number {
		return areRoundsOn() ? rounds.dueMs() : Number.POSITIVE_INFINITY;
	}

	function newsTask(tracked: Tracked, now: ReadingTimes): Task {
		const isUnread = store.ticketList(tracked.ref).covered.length === 0;
		return isUnread
			? toFill(tracked, undefined, now)
			: {
					...task(Math.max(newsDueMs(tracked), tracked.askedMs + repeatMs(0)), tracked, undefined),
					share: goesFirst(tracked) || isMine(tracked) ? shares.news : shares.reread,
				};
	}

	/**
	 * Without spare budget, falls back to the longest interval: lists and repositories have only polls, while re-reads
	 * refresh ticket pages anyway.
	 */
	function newsDueMs(tracked: Tracked): number {
		if (areRoundsOn() && rounds.covers(tracked) && !tracked.isMoved && !goesFirst(tracked)) {
			return Number.POSITIVE_INFINITY;
		}
		const isRoom = budget.readyAtMs(shares.soon) <= clock.nowMs();
		return isRoom || tracked.isHurried || tracked.isMoved || goesFirst(tracked)
			? tracked.newsMs
			: Math.max(tracked.newsMs, tracked.askedMs + mostNewsMs);
	}

	function isMine({ ref }: Tracked): boolean {
		return store.trackers.isMine(ref);
	}

	/** True for trackers in use or with reported news. Other trackers share turns with lists and repositories. */
	function goesFirst(tracked: Tracked): boolean {
		return tracked.areNewsTold || isInUse(tracked, clock.nowMs());
	}

	function fillTask(tracked: Tracked, now: ReadingTimes): Task | undefined {
		const gap = store.ticketList(tracked.ref).gap();
		return gap === undefined ? undefined : toFill(tracked, gap, now);
	}

	function toFill(tracked: Tracked, from: number | undefined, now: ReadingTimes): Task {
		if (budget.isLifted) {
			// Refresh known data first while the user waits.
			return { ...task(Number.POSITIVE_INFINITY, tracked, from), isFill: true };
		}
		const inTurnMs = Math.max(budget.readyAtMs(shares.reread, 'fill'), fills.readyAtMs(1));
		const readyMs = Math.min(budget.readyAtMs(shares.fill, 'fill'), inTurnMs);
		const isQuick = fills.spent() < mostQuickFills;
		const dueMs = isQuick ? now.lastReadMs + fillPauseMs : filledMs + hourMs / (budget.perHour() * shares.fill);
		return { ...task(dueMs, tracked, from), readyMs, isFill: true, cause: 'fill' };
	}

	/**
	 * On a small budget, re-reads start only after every list was filled once. A failing tracker doesn't block them.
	 */
	function isToFill({ ref, failures }: Tracked): boolean {
		const list = store.ticketList(ref);
		return failures === 0 && (list.covered.length === 0 || list.gap() !== undefined);
	}

	function rereadTask(tracked: Tracked, now: ReadingTimes, mayReread: boolean): Task | undefined {
		const [movedBelow] = tracked.movedBelow;
		if (movedBelow !== undefined) {
			return { ...task(clock.nowMs(), tracked, movedBelow - 1), share: shares.news };
		}
		const sinceMs = readSinceMs(tracked);
		if (!mayReread && sinceMs === 0) {
			return undefined;
		}
		const nowMs = clock.nowMs();
		const share = tracked.sweepMs > 0 ? shares.news : shares.reread;
		const isSlow = sinceMs === 0 && isVouched(tracked) && !isInUse(tracked, nowMs);
		const dueMs = sinceMs > 0 ? sinceMs : inTurnMs(tracked, now, isSlow);
		if (dueMs > nowMs) {
			return { ...task(dueMs, tracked, undefined), share };
		}
		const list = store.ticketList(tracked.ref);
		const most = store.mostRechecked;
		const recheck = most > 0 ? ticketsToRecheck(list, nowMs, sinceMs, most) : [];
		const areClosedDue = tracked.sweepMs > 0 || !isVouched(tracked);
		const due = most > 0 ? recheck[0] && { from: recheck[0] } : pageToReread(list, nowMs, sinceMs, areClosedDue);
		if (!due) {
			tracked.wishedMs = 0;
			tracked.sweepMs = 0;
			tracked.rereadMs = nowMs + minuteMs;
			return { ...task(tracked.rereadMs, tracked, undefined), share };
		}
		return { ...task(dueMs, tracked, due.from), share, recheck, isSlow };
	}

	/** Pages read earlier are due: after a user refresh, or a change found by a round. 0 for neither. */
	function readSinceMs({ wishedMs, wishedPages, sweepMs, sweepPages }: Tracked): number {
		return Math.max(wishedPages > 0 ? wishedMs : 0, sweepPages > 0 ? sweepMs : 0);
	}

	function task(dueMs: number, tracked: Tracked | undefined, from: number | undefined): Task {
		return {
			dueMs: Math.max(dueMs, tracked?.restUntilMs ?? 0, clock.nowMs()),
			tracked,
			from,
			isNews: from === undefined,
			isFill: false,
		};
	}

	/** Spreads re-reads over the hour; also limits how often the page search runs. */
	function inTurnMs({ rereadMs }: Tracked, { lastReadMs }: ReadingTimes, isSlow: boolean): number {
		const everyMs = hourMs / Math.max(1, budget.perHour());
		return Math.max(rereadMs, lastReadMs + everyMs, isSlow ? slowMs + hourMs / slowRereads : 0);
	}

	/** By the tracker's time, no ticket is new, and none has new comments or another status. */
	function isVouched(tracked: Tracked): boolean {
		return store.mostConfirmed === 0 && areRoundsOn() && rounds.covers(tracked);
	}

	return {
		tasks,
		rereads,
		repeatMs,
		isVouched,
		/** A slow reread was requested. */
		reread: (): void => void (slowMs = clock.nowMs()),
		/** A fill was requested. */
		filled(): void {
			fills.spend();
			filledMs = clock.nowMs();
		},
	};
}
