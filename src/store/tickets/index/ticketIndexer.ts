import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { Background } from '../../background/backgroundLoop.ts';
import type { TicketStore } from '../ticketStore.ts';
import { trackerKey } from '../trackerRefs.ts';
import { backgroundReading, type NewsReading } from './backgroundReading.ts';

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
