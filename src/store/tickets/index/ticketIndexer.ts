import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import { jittered, nextEveryMs, soonMs } from '../../background/schedule.ts';
import { type Background, startMs, type BackgroundTask } from '../../background/backgroundLoop.ts';
import type { TicketStore } from '../ticketStore.ts';
import { trackerKey } from '../trackerRefs.ts';
import { changeRounds } from './changeRounds.ts';
import { mostNewsMs, readingTasks, type Task } from './readingTasks.ts';
import { isInUse, newsMs, trackedTrackers } from './trackedTrackers.ts';

const minuteMs = 60_000;

const hourMs = 60 * minuteMs;

/** Coverage of a tracker's tickets. Times are milliseconds since 1970. */
export type IndexState =
	| { readonly kind: 'unread' }
	/** Some pages are missing. `total`: as reported by the server, if any. */
	| {
			readonly kind: 'partial';
			readonly known: number;
			readonly total: number | undefined;
			readonly checkedAtMs: number;
	  }
	/** All tickets are known; `checkedAtMs` is the check time of the longest unchecked open ticket. */
	| { readonly kind: 'whole'; readonly known: number; readonly checkedAtMs: number }
	/** The server reports neither total nor end, so more tickets may exist. */
	| { readonly kind: 'unstated'; readonly known: number; readonly checkedAtMs: number };

/** Milliseconds since 1970. */
export interface TrackerReading extends NewsReading {
	/**
	 * Check time of the oldest part, among the newest page and all open tickets. `undefined` until everything was read
	 * once.
	 */
	readonly readMs: number | undefined;
	/** The same including closed tickets, which are polled less often. */
	readonly olderMs: number | undefined;
}

/**
 * The ticket index of one account. The background fills it page by page within an hourly request budget, and stores it
 * on disk. Views read it without requests.
 */
export type TicketIndex = ReturnType<typeof ticketIndexer>;

/**
 * Without `background`, nothing is read. `random`: a number from 0 to 1 for jitter of poll times. `bundleMs`: batching
 * delay for change events; 0 fires immediately.
 */
export function ticketIndexer(
	store: TicketStore,
	clock: Clock,
	background?: Background,
	random: () => number = () => 0,
	bundleMs = 100,
) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<readonly TrackerRef[]>());
	const waiting = new Map<string, TrackerRef>();
	let timer: Disposable | undefined;

	function flush(): void {
		timer = undefined;
		const refs = Array.from(waiting.values());
		waiting.clear();
		changed.fire(refs);
	}

	function tell(ref: TrackerRef | undefined): void {
		if (ref !== undefined) {
			waiting.set(trackerKey(ref), ref);
		}
		if (bundleMs === 0) {
			flush();
		} else {
			timer ??= clock.after(bundleMs, flush);
		}
	}

	owned.add(onDispose(() => timer?.dispose()));
	owned.add(store.onDidLearn(tell));
	owned.add(
		store.onDidChange((change) => {
			if (change.kind === 'trackers') {
				tell(undefined);
			}
		}),
	);
	const reading = background && owned.add(backgroundReading(store, background, clock, random));
	if (background !== undefined && reading !== undefined) {
		owned.add(store.onDidLook((tracker) => reading.used(tracker)));
		owned.add(background.loop.onDidPause(() => tell(undefined)));
	}

	return {
		/** Own and followed trackers. No request. */
		trackers: () => store.knownTrackers(),
		state: (tracker: TrackerRef) => stateOf(store, tracker),
		/** Known tickets, newest number first. No request; doesn't count as use. */
		tickets: (tracker: TrackerRef) => store.ticketList(tracker).indexed(),
		/** The user is viewing this tracker or one of its tickets; polls it more often for a while. */
		inUse: (tracker: TrackerRef): void => reading?.used(tracker),
		/** Tickets changed at `sinceMs`: makes the newest page due, unless it was requested later. */
		newsDue: (tracker: TrackerRef, sinceMs: number): void => reading?.newsDue(tracker, sinceMs),
		/** Makes the list of own trackers due. */
		ownTrackersDue: (): void => reading?.ownTrackersDue(),
		/** Time of the forge's last confirmation of this ticket. */
		checkedAtMs: ({ tracker, id }: TicketRef) => store.ticketList(tracker).checkedAtMs(id),
		/** Background reading state in this window. */
		trackerReading: (tracker: TrackerRef) =>
			reading
				? readingOf(store, tracker, reading.newsReading(tracker))
				: {
						readMs: undefined,
						olderMs: undefined,
						hasFailed: false,
						failedMs: undefined,
						isVouched: false,
						isBusy: false,
					},
		get pause() {
			return background?.loop.pause;
		},
		/** Batched changes of tickets or states. */
		onDidChange: changed.event,
		/** Reads all tickets of a tracker on the user's request. Charges the budget but ignores its limit. */
		readWhole: (tracker: TrackerRef, signal: AbortSignal) => store.readAllTickets(tracker, signal),
		dispose: () => owned.dispose(),
	};
}

function readingOf(store: TicketStore, tracker: TrackerRef, news: NewsReading): TrackerReading {
	const list = store.ticketList(tracker);
	const isWhole = list.listing()?.completeness.kind !== 'more' && list.listing() !== undefined;
	if (news.readMs === undefined || !isWhole) {
		return { ...news, readMs: undefined, olderMs: undefined };
	}
	const { open, any } = list.oldestChecksMs();
	return news.isVouched
		? { ...news, olderMs: Math.min(news.readMs, open) }
		: { ...news, readMs: Math.min(news.readMs, open), olderMs: Math.min(news.readMs, any) };
}

function stateOf(store: TicketStore, tracker: TrackerRef): IndexState {
	const list = store.ticketList(tracker);
	const listing = list.listing();
	if (listing === undefined) {
		return { kind: 'unread' };
	}
	const { open, any } = list.oldestChecksMs();
	const known = { known: listing.items.length, checkedAtMs: Number.isFinite(open) ? open : any };
	switch (listing.completeness.kind) {
		case 'complete':
			return { kind: 'whole', ...known };
		case 'more':
			return { kind: 'partial', total: listing.completeness.total, ...known };
		case 'unstated':
			return { kind: 'unstated', ...known };
	}
}

/** State of the polls of a tracker's newest page. */
interface NewsReading {
	/** Last read in milliseconds since 1970; `undefined` before. */
	readonly readMs: number | undefined;
	readonly hasFailed: boolean;
	readonly failedMs: number | undefined;
	/** The tracker's time vouches for all but assignments, labels and edits. */
	readonly isVouched: boolean;
	/** A user refresh is in progress. */
	readonly isBusy: boolean;
}

/** Reads tickets in the background: one request at a time, within the budget. */
function backgroundReading(store: TicketStore, { budget, loop }: Background, clock: Clock, random: () => number) {
	const owned = new Disposables();
	const trackers = trackedTrackers(store, clock);
	const rounds = changeRounds(store, trackers, clock, random);
	const plan = readingTasks(store, budget, trackers, rounds, clock);
	let ownMs = clock.nowMs() + startMs;
	let isOwnTold = false;

	owned.add(
		loop.add({
			tasks: (lastReadMs) => plan.tasks({ lastReadMs, ownMs, isOwnTold }).map(loopTask),
			hurry(why) {
				trackers.hurryAll(why === 'wish');
				rounds.hurry();
				ownMs = Math.min(ownMs, clock.nowMs() + hourMs);
			},
		}),
	);
	owned.add(
		loop.add({
			tasks: (lastReadMs) => plan.rereads({ lastReadMs, ownMs, isOwnTold }).map(loopTask),
		}),
	);
	owned.add(store.onDidChange(({ kind }) => kind === 'ticket' || loop.plan()));
	owned.add(store.onDidAnswer(() => loop.reached()));

	function loopTask(task: Task): BackgroundTask {
		const { tracked, isNews, isFill } = task;
		const isTold = task.isRound ? false : tracked === undefined ? isOwnTold : tracked.areNewsTold && isNews && !isFill;
		return {
			...task,
			area: 'todo',
			isTold,
			isWaitShown: true,
			read: (signal) => read(task, signal),
			failed: () => failed(task),
		};
	}

	function readTickets(ref: TrackerRef, { from, isFill, recheck = [] }: Task, signal: AbortSignal): Promise<boolean> {
		if (recheck.length > 0) {
			return store.reads(ref).recheck(recheck, signal);
		}
		return isFill ? store.reads(ref).fill(from, signal) : store.reads(ref).reread(from, signal);
	}

	async function read(task: Task, signal: AbortSignal): Promise<void> {
		const { tracked, isNews, isFill } = task;
		if (isFill) {
			plan.filled();
		}
		if (task.isRound) {
			return await rounds.read(signal);
		}
		if (tracked === undefined) {
			await store.trackers.pollOwn(signal);
			isOwnTold = false;
			ownMs = clock.nowMs() + plan.repeatMs(jittered(hourMs, random));
			return;
		}
		const nowMs = clock.nowMs();
		if (task.isSlow) {
			plan.reread();
			tracked.pageMs = nowMs;
		}
		if (isNews) {
			tracked.newsMs = nowMs + tracked.newsEveryMs;
			tracked.askedMs = nowMs;
			tracked.isHurried = false;
			tracked.isMoved = false;
		} else {
			tracked.pageMs = nowMs;
			tracked.movedBelow.delete((task.from ?? 0) + 1);
		}
		const isNew = await readTickets(tracked.ref, task, signal);
		tracked.failures = 0;
		tracked.failedMs = undefined;
		tracked.wishedPages -= tracked.wishedMs > 0 && !isFill ? 1 : 0;
		tracked.sweepPages -= tracked.sweepMs > 0 && !isFill ? 1 : 0;
		tracked.readMs = isNews ? nowMs : tracked.readMs;
		if (isNews) {
			// News reported by a webhook must not change the poll interval.
			if (!tracked.areNewsTold) {
				const soonestMs = isInUse(tracked, nowMs) ? newsMs : soonMs;
				tracked.newsEveryMs = nextEveryMs(isNew, tracked.newsEveryMs, soonestMs, mostNewsMs);
			}
			tracked.areNewsTold = false;
			tracked.newsMs = clock.nowMs() + jittered(tracked.newsEveryMs, random);
		}
	}

	function failed({ tracked, isRound }: Task): void {
		const nowMs = clock.nowMs();
		if (isRound) {
			rounds.failed();
		} else if (tracked === undefined) {
			ownMs = nowMs + plan.repeatMs(5 * minuteMs);
		} else {
			tracked.restUntilMs = nowMs + Math.min(6 * hourMs, 5 * minuteMs * 2 ** tracked.failures);
			tracked.failures += 1;
			tracked.failedMs = nowMs;
			tracked.wishedMs = 0;
		}
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
			const { readMs, failedMs, wishedMs, wishedPages } = tracked;
			const isVouched = plan.isVouched(tracked);
			return {
				readMs,
				hasFailed: failedMs !== undefined,
				failedMs,
				isVouched,
				isBusy: wishedMs > 0 && wishedPages > 0,
			};
		},
		/** Tickets changed at `sinceMs`: makes the newest page due, unless it was requested later. */
		newsDue(ref: TrackerRef, sinceMs: number) {
			const tracked = trackers.of(ref);
			if (tracked.askedMs <= sinceMs) {
				tracked.areNewsTold = true;
				tracked.newsMs = Math.min(tracked.newsMs, clock.nowMs());
				loop.plan();
			}
		},
		/** The same for own trackers. */
		ownTrackersDue() {
			isOwnTold = true;
			ownMs = Math.min(ownMs, clock.nowMs());
			loop.plan();
		},
		dispose: () => owned.dispose(),
	};
}
