import type { Clock } from '../../../base/clock.ts';
import { Emitter } from '../../../base/event.ts';
import { Disposables, onDispose, type Disposable } from '../../../base/lifecycle.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import { backgroundReading, type Presence } from './backgroundReading.ts';
import type { RequestBudget } from './requestBudget.ts';
import { oldestCheckMs } from './rereadOrder.ts';
import type { IndexState, TicketIndex } from './ticketIndex.ts';
import type { TicketStore } from '../ticketStore.ts';
import { trackerKey } from '../trackerShelf.ts';

/** What the index is made of. */
export interface TicketIndexerParts {
	readonly store: TicketStore;
	readonly clock: Clock;
	/** Left out where nothing is to be read in the background. */
	readonly background?: { readonly budget: RequestBudget; readonly presence: Presence };
	/** Changes within this time are told together; 0 tells each at once. */
	readonly bundleMs?: number;
}

/** The index of one account's tickets: what its store knows, and the reading that makes it know more. */
export function ticketIndexer(parts: TicketIndexerParts): TicketIndex & Disposable {
	const { store, clock, background, bundleMs = 100 } = parts;
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
	const reading = background && owned.add(backgroundReading({ store, clock, ...background }));
	if (reading !== undefined) {
		owned.add(store.onDidLook((tracker) => reading.used(tracker)));
		owned.add(reading.onDidPause(() => tell(undefined)));
	}

	return {
		trackers: () => store.knownTrackers(),
		state: (tracker) => stateOf(store, tracker),
		tickets: (tracker) => store.ticketList(tracker).indexed(),
		inUse: (tracker) => reading?.used(tracker),
		checkedAtMs: ({ tracker, id }) => store.ticketList(tracker).checkedAtMs(id),
		get pause() {
			return reading?.pause;
		},
		onDidChange: changed.event,
		readWhole: (tracker, signal) => store.readAllTickets(tracker, signal),
		dispose: () => owned.dispose(),
	};
}

function stateOf(store: TicketStore, tracker: TrackerRef): IndexState {
	const list = store.ticketList(tracker);
	const listing = list.listing();
	if (listing === undefined) {
		return { kind: 'unread' };
	}
	const known = { known: listing.items.length, checkedAtMs: oldestCheckMs(list) };
	switch (listing.completeness.kind) {
		case 'complete':
			return { kind: 'whole', ...known };
		case 'more':
			return { kind: 'partial', total: listing.completeness.total, ...known };
		case 'unstated':
			return { kind: 'unstated', ...known };
	}
}
