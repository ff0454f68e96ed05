import type { Clock } from '@forge-desk/base/clock.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import { startMs, type Background, type BackgroundTask } from '../../background/backgroundLoop.ts';
import { requestBudget } from '../../background/requestBudget.ts';
import { jittered, schedule, soonMs } from '../../background/schedule.ts';
import type { TicketStore } from '../ticketStore.ts';
import { pageRounds } from './pageRounds.ts';
import { pageToReread, ticketsToRecheck } from './rereadOrder.ts';
import { timeRounds } from './timeRounds.ts';
import { isInUse, newsMs, trackedTrackers, type ChangeRounds, type Tracked } from './trackedTrackers.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Longest poll interval for a quiet tracker. */
const mostNewsMs = 15 * minuteMs;
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

/** State of the polls of a tracker's newest page. */
export interface NewsReading {
	/** Last read in milliseconds since 1970; `undefined` before. */
	readonly readMs: number | undefined;
	readonly hasFailed: boolean;
	readonly failedMs: number | undefined;
	/** The tracker's time vouches for all but assignments, labels and edits. */
	readonly isVouched: boolean;
	/** A user refresh is in progress. */
	readonly isBusy: boolean;
}

/** Reads the tickets of one account in the background: one request at a time, within the budget. */
export function backgroundReading(
	store: TicketStore,
	{ budget, loop }: Background,
	clock: Clock,
	random: () => number,
) {
	const owned = new Disposables();
	const trackers = trackedTrackers(store, clock);
	const byPages = pageRounds(store, trackers, clock, random);
	const byTimes = timeRounds(store, trackers, clock, random);
	/** At each use, since a service may turn out to be newer. */
	const rounds = (): ChangeRounds => (store.mostConfirmed > 0 ? byPages : byTimes);
	const own = schedule(clock, clock.nowMs() + startMs, () => repeatMs(5 * minuteMs));
	/** Separate budget for fills. */
	const fills = requestBudget(() => budget.perHour() * leastFill, clock);
	let filledMs = 0;
	let slowMs = 0;

	owned.add(
		loop.add({
			tasks: newAndUnread,
			hurry(why) {
				trackers.hurryAll(why === 'wish');
				rounds().hurry();
				own.hurry(hourMs);
			},
		}),
	);
	// A work of its own: on a small budget, known tickets take turns with the others.
	owned.add(loop.add({ tasks: rereads }));
	owned.add(store.onDidChange(({ kind }) => kind === 'ticket' || loop.plan()));
	owned.add(store.onDidAnswer(() => loop.reached()));

	/** Among several due tasks, the first wins. */
	function newAndUnread(lastReadMs: number): readonly BackgroundTask[] {
		const all = trackers.wanted();
		// A view's read counts too.
		const ownReadMs = own.isHinted ? undefined : store.trackers.ownReadMs();
		const ofAll = { share: shares.news, area: 'todo', isWaitShown: true } as const;
		return [
			{
				...ofAll,
				dueMs: Math.max(own.dueMs, (ownReadMs ?? Number.NEGATIVE_INFINITY) + hourMs, clock.nowMs()),
				isTold: own.isHinted,
				async read(signal) {
					await store.trackers.pollOwn(signal);
					own.isHinted = false;
					own.wait(repeatMs(jittered(hourMs, random)));
				},
				failed: own.failed,
			},
			{
				...ofAll,
				dueMs: Math.max(roundMs(), clock.nowMs()),
				read: (signal) => rounds().read(signal),
				failed: () => rounds().failed(),
			},
			...all.map((tracked) =>
				store.ticketList(tracked.ref).covered.length === 0
					? fillTask(tracked, undefined, lastReadMs)
					: {
							...pageTask(tracked, Math.max(newsDueMs(tracked), tracked.news.askedMs + repeatMs(0)), undefined),
							share: goesFirst(tracked) || store.trackers.isMine(tracked.ref) ? shares.news : shares.reread,
						},
			),
			...all.flatMap((tracked) => {
				const gap = store.ticketList(tracked.ref).gap();
				return gap === undefined ? [] : [fillTask(tracked, gap, lastReadMs)];
			}),
		];
	}

	function rereads(lastReadMs: number): readonly BackgroundTask[] {
		if (roundMs() <= clock.nowMs()) {
			// A round may confirm them.
			return [];
		}
		const all = trackers.wanted();
		// On a small budget, rereads start only after every list was filled once. A failing tracker doesn't block them.
		const areAllFilled = all.every(({ ref, rest }) => {
			const list = store.ticketList(ref);
			return rest.failures > 0 || (list.covered.length > 0 && list.gap() === undefined);
		});
		const mayReread = budget.perHour() >= fewPerHour || areAllFilled;
		return all.map((tracked) => rereadTask(tracked, lastReadMs, mayReread)).filter((each) => each !== undefined);
	}

	/** Poll interval; stretched on a small budget, so that polls use at most half of it. */
	function repeatMs(wishedMs: number): number {
		const perHour = budget.perHour();
		// One newest page per tracker, plus the list of own trackers.
		return perHour >= fewPerHour
			? wishedMs
			: Math.max(wishedMs, (2 * hourMs * (trackers.count() + 1)) / Math.max(1, perHour));
	}

	/** A small budget has no room for rounds that read no tickets. */
	function areRoundsOn(): boolean {
		return store.mostConfirmed > 0 || budget.perHour() >= fewPerHour;
	}

	function roundMs(): number {
		return areRoundsOn() ? rounds().dueMs() : Number.POSITIVE_INFINITY;
	}

	/** By the tracker's time, no ticket is new, and none has new comments or another status. */
	function isVouched(tracked: Tracked): boolean {
		return store.mostConfirmed === 0 && areRoundsOn() && rounds().covers(tracked);
	}

	/** True for trackers in use or with reported news. Other trackers share turns with lists and repositories. */
	function goesFirst(tracked: Tracked): boolean {
		return tracked.news.isHinted || isInUse(tracked, clock.nowMs());
	}

	/**
	 * Without spare budget, falls back to the longest interval: lists and repositories have only polls, while re-reads
	 * refresh ticket pages anyway.
	 */
	function newsDueMs(tracked: Tracked): number {
		const { news, isMoved, isHurried } = tracked;
		const isNext = isMoved || goesFirst(tracked);
		if (areRoundsOn() && rounds().covers(tracked) && !isNext) {
			return Number.POSITIVE_INFINITY;
		}
		const isRoom = budget.readyAtMs(shares.soon) <= clock.nowMs();
		return isRoom || isHurried || isNext ? news.dueMs : Math.max(news.dueMs, news.askedMs + mostNewsMs);
	}

	/** Reads an unread page. */
	function fillTask(tracked: Tracked, from: number | undefined, lastReadMs: number): BackgroundTask {
		if (budget.isLifted) {
			// Refresh known data first while the user waits.
			return pageTask(tracked, Number.POSITIVE_INFINITY, from, 'fill');
		}
		const inTurnMs = Math.max(budget.readyAtMs(shares.reread, 'fill'), fills.readyAtMs(1));
		const readyMs = Math.min(budget.readyAtMs(shares.fill, 'fill'), inTurnMs);
		const isQuick = fills.spent() < mostQuickFills;
		const dueMs = isQuick ? lastReadMs + fillPauseMs : filledMs + hourMs / (budget.perHour() * shares.fill);
		return { ...pageTask(tracked, dueMs, from, 'fill'), readyMs, cause: 'fill' };
	}

	function rereadTask(tracked: Tracked, lastReadMs: number, mayReread: boolean): BackgroundTask | undefined {
		const nowMs = clock.nowMs();
		const [movedBelow] = tracked.movedBelow;
		if (movedBelow !== undefined) {
			return { ...pageTask(tracked, nowMs, movedBelow - 1), share: shares.news };
		}
		const sinceMs = readSinceMs(tracked);
		if (!mayReread && sinceMs === 0) {
			return undefined;
		}
		const share = tracked.sweepMs > 0 ? shares.news : shares.reread;
		const isSlow = sinceMs === 0 && isVouched(tracked) && !isInUse(tracked, nowMs);
		// Spreads rereads over the hour. Also limits the searches for due pages.
		const everyMs = hourMs / Math.max(1, budget.perHour());
		const inTurnMs = Math.max(tracked.rereadMs, lastReadMs + everyMs, isSlow ? slowMs + hourMs / slowRereads : 0);
		const dueMs = sinceMs > 0 ? sinceMs : inTurnMs;
		if (dueMs > nowMs) {
			return { ...pageTask(tracked, dueMs, undefined), share };
		}
		const list = store.ticketList(tracked.ref);
		const most = store.mostRechecked;
		const recheck = most > 0 ? ticketsToRecheck(list, nowMs, sinceMs, most) : [];
		const areClosedDue = tracked.sweepMs > 0 || !isVouched(tracked);
		const due = most > 0 ? recheck[0] && { from: recheck[0] } : pageToReread(list, nowMs, sinceMs, areClosedDue);
		if (!due) {
			tracked.refreshMs = 0;
			tracked.sweepMs = 0;
			tracked.rereadMs = nowMs + minuteMs;
			return { ...pageTask(tracked, tracked.rereadMs, undefined), share };
		}
		return { ...pageTask(tracked, dueMs, due.from, isSlow ? 'slow' : 'usual', recheck), share };
	}

	/** Pages read earlier are due: after a user refresh, or a change found by a round. 0 for neither. */
	function readSinceMs({ refreshMs: wishedMs, refreshPages: wishedPages, sweepMs, sweepPages }: Tracked): number {
		return Math.max(wishedPages > 0 ? wishedMs : 0, sweepPages > 0 ? sweepMs : 0);
	}

	/**
	 * Reads a page. `from`: its first ticket; `undefined` for the newest page. `slow`: counts against the pace of trackers
	 * that rounds cover. `recheck`: tickets for a bulk check instead of the page.
	 */
	function pageTask(
		tracked: Tracked,
		dueMs: number,
		from: number | undefined,
		kind: 'usual' | 'slow' | 'fill' = 'usual',
		recheck: readonly number[] = [],
	): BackgroundTask {
		const isNews = from === undefined;
		const isFill = kind === 'fill';
		return {
			// Now at the earliest, so that among several due tasks the first wins.
			dueMs: Math.max(dueMs, tracked.rest.dueMs, clock.nowMs()),
			area: 'todo',
			isTold: tracked.news.isHinted && isNews && !isFill,
			isWaitShown: true,
			async read(signal) {
				const nowMs = clock.nowMs();
				if (isFill) {
					fills.spend();
					filledMs = nowMs;
				} else if (kind === 'slow') {
					slowMs = nowMs;
					tracked.pageMs = nowMs;
				}
				if (isNews) {
					tracked.news.wait(tracked.news.everyMs);
					tracked.news.asked();
					tracked.isHurried = false;
					tracked.isMoved = false;
				} else {
					tracked.pageMs = nowMs;
					tracked.movedBelow.delete(from + 1);
				}
				const reads = store.reads(tracked.ref);
				const isNew = await (recheck.length > 0
					? reads.recheck(recheck, signal)
					: isFill
						? reads.fill(from, signal)
						: reads.reread(from, signal));
				tracked.rest.answered();
				tracked.refreshPages -= tracked.refreshMs > 0 && !isFill ? 1 : 0;
				tracked.sweepPages -= tracked.sweepMs > 0 && !isFill ? 1 : 0;
				if (isNews) {
					tracked.news.answered();
					tracked.news.pollAgain(isNew, isInUse(tracked, nowMs) ? newsMs : soonMs, mostNewsMs, random);
				}
			},
			failed() {
				tracked.rest.failed();
				tracked.refreshMs = 0;
			},
		};
	}

	return {
		/** The user is viewing a tracker; polls it more often. */
		used(ref: TrackerRef) {
			const tracked = trackers.of(ref);
			const wasUsed = isInUse(tracked, clock.nowMs());
			tracked.usedMs = clock.nowMs();
			if (!wasUsed) {
				trackers.hurry(tracked);
				loop.plan();
			}
		},
		newsReading(ref: TrackerRef): NewsReading {
			const tracked = trackers.of(ref);
			const { news, rest, refreshMs: wishedMs, refreshPages: wishedPages } = tracked;
			return {
				...rest.reading(),
				readMs: news.reading().readMs,
				isVouched: isVouched(tracked),
				isBusy: wishedMs > 0 && wishedPages > 0,
			};
		},
		/** Tickets changed at `sinceMs`: makes the newest page due, unless it was requested later. */
		newsDue(ref: TrackerRef, sinceMs: number) {
			if (trackers.of(ref).news.hint(sinceMs)) {
				loop.plan();
			}
		},
		/** The same for own trackers. */
		ownTrackersDue() {
			own.hint();
			loop.plan();
		},
		dispose: () => owned.dispose(),
	};
}
