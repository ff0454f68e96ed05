import type { Clock } from '@forge-desk/base/clock.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import { schedule, type Schedule } from '../../background/schedule.ts';
import type { TicketStore } from '../ticketStore.ts';
import { trackerKey } from '../trackerRefs.ts';

/** Polling state of a tracker. Times are milliseconds since 1970. */
export interface Tracked {
	readonly ref: TrackerRef;
	/** Last use by the user. */
	usedMs: number;
	/** Polls of the newest page. */
	readonly news: Schedule;
	/** Rest of all reads after a failure. */
	readonly rest: Schedule;
	/** Last request for another page. */
	pageMs: number;
	/** A round found changes on the newest page. */
	isMoved: boolean;
	/** A round found changes on the pages below these numbers. */
	readonly movedBelow: Set<number>;
	/** Time of the last change, as of the last round; `undefined` if unknown. Only servers without bulk queries. */
	timeMs: number | undefined;
	/** Pages read before this time may lack the change of that round. 0 when all of those are read. */
	sweepMs: number;
	/** The next round reads the pages once more. */
	isSweptAgain: boolean;
	/** Remaining pages for this change. */
	sweepPages: number;
	/** The user refreshed since the last request. */
	isHurried: boolean;
	/** Time of a user refresh: pages read earlier are due. 0 when all of those are read. */
	refreshMs: number;
	/** Remaining pages for this refresh. */
	refreshPages: number;
	/** Time of the last due page search; limits how often the search runs. */
	rereadMs: number;
}

/** Finds the trackers with changes, many with one request. */
export interface ChangeRounds {
	/** True if the tracker needs no polls of its own. */
	covers(tracked: Tracked): boolean;
	/** Milliseconds since 1970. */
	dueMs(): number;
	hurry(): void;
	read(signal: AbortSignal): Promise<void>;
	/** Each tracker has its own polls until the next round. */
	failed(): void;
}

/** Shortest poll interval for a tracker in use. */
export const newsMs = 60_000;
/** Maximum pages read for a user refresh of one tracker. */
const mostRefreshPages = 20;
/** Maximum pages read for a change of one tracker. Others wait for their turn. */
export const mostSweptPages = 20;
/** Time after the last use during which a tracker counts as in use. */
const inUseMs = 10 * 60_000;

export function isInUse({ usedMs }: Tracked, nowMs: number): boolean {
	return nowMs - usedMs < inUseMs;
}

/** A round that began at `startMs` found no change on the newest page. */
export function confirmed(tracked: Tracked, startMs: number): void {
	tracked.news.asked(startMs);
	tracked.news.answered();
	tracked.rest.answered();
	tracked.isHurried = false;
}

export type TrackedTrackers = ReturnType<typeof trackedTrackers>;

export function trackedTrackers(store: TicketStore, clock: Clock) {
	const trackers = new Map<string, Tracked>();
	let refreshMs = 0;

	function trackedOf(ref: TrackerRef): Tracked {
		const key = trackerKey(ref);
		let tracked = trackers.get(key);
		if (tracked === undefined) {
			const nowMs = clock.nowMs();
			// Cached data of an earlier day is due immediately; a page that a view just read is not.
			const isFresh = nowMs - newestCheckMs(ref) < newsMs;
			tracked = {
				ref,
				usedMs: 0,
				news: schedule(clock, isFresh ? nowMs + newsMs : nowMs),
				rest: schedule(clock, 0),
				pageMs: 0,
				isMoved: false,
				movedBelow: new Set(),
				timeMs: undefined,
				sweepMs: 0,
				isSweptAgain: false,
				sweepPages: 0,
				isHurried: false,
				refreshMs: refreshMs,
				refreshPages: mostRefreshPages,
				rereadMs: 0,
			};
			tracked.news.everyMs = newsMs;
			trackers.set(key, tracked);
		}
		return tracked;
	}

	function newestCheckMs(ref: TrackerRef): number {
		const list = store.ticketList(ref);
		const newest = list.indexed()[0]?.ticket.id;
		return (newest === undefined ? undefined : list.checkedAtMs(newest)) ?? 0;
	}

	function hurry(tracked: Tracked): void {
		tracked.news.everyMs = newsMs;
		tracked.news.hurry(Math.max(0, newestCheckMs(tracked.ref) + newsMs - clock.nowMs()));
	}

	return {
		of: trackedOf,
		count: () => trackers.size,
		/**
		 * Own and followed trackers; forgets others. Order: trackers in use, most recent first, then by the oldest page
		 * request.
		 */
		wanted(): readonly Tracked[] {
			const wanted = new Map(store.knownTrackers().map((ref) => [trackerKey(ref), ref]));
			for (const key of trackers.keys()) {
				if (!wanted.has(key)) {
					trackers.delete(key);
				}
			}
			const usedMs = (tracked: Tracked): number => (isInUse(tracked, clock.nowMs()) ? tracked.usedMs : 0);
			return Array.from(wanted.values(), trackedOf).sort((a, b) => usedMs(b) - usedMs(a) || a.pageMs - b.pageMs);
		},
		/** Brings the next poll forward for a tracker in use. */
		hurry,
		/** Makes the newest page of every tracker due. `isWish`: a user refresh, which makes all other pages due too. */
		hurryAll(isWish: boolean) {
			const nowMs = clock.nowMs();
			refreshMs = isWish ? nowMs : refreshMs;
			for (const tracked of trackers.values()) {
				if (isWish) {
					tracked.refreshMs = nowMs;
					tracked.refreshPages = mostRefreshPages;
					tracked.rest.hurry();
					tracked.rereadMs = 0;
				}
				tracked.isHurried = true;
				tracked.news.everyMs = newsMs;
				tracked.news.hurry();
			}
		},
	};
}
