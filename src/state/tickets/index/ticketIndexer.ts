import type { Clock } from '../../../base/clock.ts';
import { Emitter, type Event } from '../../../base/event.ts';
import { Disposables, onDispose, type Disposable } from '../../../base/lifecycle.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import type { Background, ReadingPause } from '../../background/backgroundLoop.ts';
import { backgroundReading, type NewsReading } from './backgroundReading.ts';
import type { TicketStore } from '../ticketStore.ts';
import { trackerKey } from '../trackerShelf.ts';
import type { TicketRef } from '../../../forge/ticket.ts';
import type { IndexedTicket } from '../../../search/indexedTicket.ts';

/** How far a tracker's tickets are known. Times are milliseconds since 1970. */
export type IndexState =
	| { readonly kind: 'unread' }
	/** Some pages were read. `total`: what the server says, if it says. */
	| {
			readonly kind: 'partial';
			readonly known: number;
			readonly total: number | undefined;
			readonly checkedAtMs: number;
	  }
	/** All tickets are known; `checkedAtMs` is when the longest unchecked open ticket was last confirmed. */
	| { readonly kind: 'whole'; readonly known: number; readonly checkedAtMs: number }
	/** The server tells of no total and no end: more may exist. */
	| { readonly kind: 'unstated'; readonly known: number; readonly checkedAtMs: number };

/**
 * The tickets of all trackers of one account as far as they are known: filled page by page in the background within a
 * budget of requests per hour, kept on disk, and never asked for by a view that only looks.
 */
export interface TicketIndex {
	/** Own and followed trackers that are known now. Needs no request. */
	trackers(): readonly TrackerRef[];
	state(tracker: TrackerRef): IndexState;
	/** Everything known, newest number first. Needs no request, and says nothing of whether anybody looks. */
	tickets(tracker: TrackerRef): readonly IndexedTicket[];
	/** Somebody has this tracker or one of its tickets before their eyes now: its news are worth more for a while. */
	inUse(tracker: TrackerRef): void;
	/** Something happened to tickets of the tracker at that time: their newest page is due now, unless it was asked for since. */
	newsDue(tracker: TrackerRef, sinceMs: number): void;
	/** The list of one's own trackers is due now. */
	ownTrackersDue(): void;
	/** When the forge last confirmed this ticket. */
	checkedAtMs(ref: TicketRef): number | undefined;
	/** How the reading of a tracker in the background of this window stands. */
	trackerReading(tracker: TrackerRef): TrackerReading;
	readonly pause: ReadingPause | undefined;
	/** A tracker's tickets or state changed, many changes told at once. */
	readonly onDidChange: Event<readonly TrackerRef[]>;
	/** Reads everything of a tracker now, as when a person asks for it. Counts towards the budget but is not held back by it. */
	readWhole(tracker: TrackerRef, signal: AbortSignal): Promise<void>;
}

/** Milliseconds since 1970. */
export interface TrackerReading extends NewsReading {
	/** The oldest part of it: its newest page, or an open ticket. `undefined` while some of it was never read. */
	readonly readMs: number | undefined;
	/** The oldest part with closed tickets, which are read more rarely. */
	readonly olderMs: number | undefined;
}

/** What the index is made of. */
export interface TicketIndexerParts {
	readonly store: TicketStore;
	readonly clock: Clock;
	/** Left out where nothing is to be read in the background. */
	readonly background?: Background;
	/** A number from 0 to 1, which makes times of reading shorter; 0 when left out. */
	readonly random?: () => number;
	/** Changes within this time are told together; 0 tells each at once. */
	readonly bundleMs?: number;
}

/** The index of one account's tickets: what its store knows, and the reading that makes it know more. */
export function ticketIndexer(parts: TicketIndexerParts): TicketIndex & Disposable {
	const { store, clock, background, random = () => 0, bundleMs = 100 } = parts;
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
	const reading = background && owned.add(backgroundReading({ store, clock, random, ...background }));
	if (background !== undefined && reading !== undefined) {
		owned.add(store.onDidLook((tracker) => reading.used(tracker)));
		owned.add(background.loop.onDidPause(() => tell(undefined)));
	}

	return {
		trackers: () => store.knownTrackers(),
		state: (tracker) => stateOf(store, tracker),
		tickets: (tracker) => store.ticketList(tracker).indexed(),
		inUse: (tracker) => reading?.used(tracker),
		newsDue: (tracker, sinceMs) => reading?.newsDue(tracker, sinceMs),
		ownTrackersDue: () => reading?.ownTrackersDue(),
		checkedAtMs: ({ tracker, id }) => store.ticketList(tracker).checkedAtMs(id),
		trackerReading: (tracker) =>
			reading
				? readingOf(store, tracker, reading.newsReading(tracker))
				: { readMs: undefined, olderMs: undefined, hasFailed: false, failedMs: undefined, isBusy: false },
		get pause() {
			return background?.loop.pause;
		},
		onDidChange: changed.event,
		readWhole: (tracker, signal) => store.readAllTickets(tracker, signal),
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
	return { ...news, readMs: Math.min(news.readMs, open), olderMs: Math.min(news.readMs, any) };
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
