import type { Clock } from '../../../base/clock.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import type { TicketStore } from '../ticketStore.ts';
import { trackerKey } from '../trackerShelf.ts';

/** When a tracker is read again in the background. Times are milliseconds since 1970. */
export interface Tracked {
	readonly ref: TrackerRef;
	/** When somebody last looked at it. */
	usedMs: number;
	/** When the newest page was last asked for. */
	askedMs: number;
	/** When that was last answered; `undefined` before. */
	readMs: number | undefined;
	/** When another page was last asked for. */
	pageMs: number;
	/** When the newest page is due. */
	newsMs: number;
	newsEveryMs: number;
	/** Somebody told of news since they were last asked for. */
	areNewsTold: boolean;
	/** Somebody has wanted to know now since they were last asked for. */
	isHurried: boolean;
	/** It failed, and is left alone until then. */
	restUntilMs: number;
	failures: number;
	/** When it last failed; `undefined` after a success. */
	failedMs: number | undefined;
	/** Somebody wants to know now: every page that was last read before this is due. 0 when all are read. */
	wishedMs: number;
	/** So many more pages are read for that. */
	wishedPages: number;
	/** When a page of its own was last due, so that the search for one is not made each time. */
	rereadMs: number;
}

/** The trackers that are read in the background. */
export interface TrackedTrackers {
	of(ref: TrackerRef): Tracked;
	count(): number;
	/**
	 * Those that the account has or follows now; others are forgotten. Those that are looked at come first, the last one before
	 * the others, and then the ones whose pages were left alone for longest.
	 */
	wanted(): readonly Tracked[];
	/** News are worth more now that somebody looks. */
	hurry(tracked: Tracked): void;
	/** The newest page of each is due, however new it is. `isWish`: somebody wants to know now, so all other pages are, too. */
	hurryAll(isWish: boolean): void;
	/** The clock was set back: what waits for a time waits no longer than it would have. */
	clockWentBack(byMs: number): void;
}

/** News of a tracker that somebody looks at are read this often at most. */
export const newsMs = 60_000;
/** Of a longer tracker, a wish reads no more pages. */
const mostWishedPages = 20;
/** A tracker counts as looked at this long. */
const inUseMs = 10 * 60_000;

/** Whether somebody has looked at it lately. */
export function isInUse({ usedMs }: Pick<Tracked, 'usedMs'>, nowMs: number): boolean {
	return nowMs - usedMs < inUseMs;
}

export function trackedTrackers(store: TicketStore, clock: Clock): TrackedTrackers {
	const trackers = new Map<string, Tracked>();
	let wishedMs = 0;

	function trackedOf(ref: TrackerRef): Tracked {
		const key = trackerKey(ref);
		let tracked = trackers.get(key);
		if (tracked === undefined) {
			const nowMs = clock.nowMs();
			// What is remembered from another day is asked for at once; what a view has just read is news enough.
			const isFresh = nowMs - newestCheckMs(ref) < newsMs;
			tracked = {
				ref,
				usedMs: 0,
				askedMs: 0,
				readMs: undefined,
				pageMs: 0,
				newsMs: isFresh ? nowMs + newsMs : nowMs,
				newsEveryMs: newsMs,
				areNewsTold: false,
				isHurried: false,
				restUntilMs: 0,
				failures: 0,
				failedMs: undefined,
				wishedMs,
				wishedPages: mostWishedPages,
				rereadMs: 0,
			};
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
		tracked.newsEveryMs = newsMs;
		tracked.newsMs = Math.min(tracked.newsMs, Math.max(clock.nowMs(), newestCheckMs(tracked.ref) + newsMs));
	}

	return {
		of: trackedOf,
		count: () => trackers.size,
		wanted() {
			const wanted = new Map(store.knownTrackers().map((ref) => [trackerKey(ref), ref]));
			for (const key of trackers.keys()) {
				if (!wanted.has(key)) {
					trackers.delete(key);
				}
			}
			const usedMs = (tracked: Tracked): number => (isInUse(tracked, clock.nowMs()) ? tracked.usedMs : 0);
			return Array.from(wanted.values(), trackedOf).sort((a, b) => usedMs(b) - usedMs(a) || a.pageMs - b.pageMs);
		},
		hurry,
		hurryAll(isWish) {
			const nowMs = clock.nowMs();
			wishedMs = isWish ? nowMs : wishedMs;
			for (const tracked of trackers.values()) {
				if (isWish) {
					tracked.wishedMs = nowMs;
					tracked.wishedPages = mostWishedPages;
					tracked.restUntilMs = Math.min(tracked.restUntilMs, nowMs);
					tracked.rereadMs = 0;
				}
				tracked.isHurried = true;
				tracked.newsEveryMs = newsMs;
				tracked.newsMs = Math.min(tracked.newsMs, clock.nowMs());
			}
		},
		clockWentBack(byMs) {
			wishedMs -= byMs;
			for (const tracked of trackers.values()) {
				tracked.usedMs -= byMs;
				tracked.askedMs -= byMs;
				tracked.pageMs -= byMs;
				tracked.readMs = tracked.readMs === undefined ? undefined : tracked.readMs - byMs;
				tracked.newsMs -= byMs;
				tracked.restUntilMs -= byMs;
				tracked.wishedMs = Math.max(0, tracked.wishedMs - byMs);
				tracked.failedMs = tracked.failedMs === undefined ? undefined : tracked.failedMs - byMs;
				tracked.rereadMs -= byMs;
			}
		},
	};
}
