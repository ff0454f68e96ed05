import { Emitter } from '@forge-desk/base/event.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { IndexedTicket } from '../../src/engine/search/indexedTicket.ts';
import type { IndexState, TicketIndex } from '../../src/store/tickets/index/ticketIndexer.ts';

/** A scripted index. */
export interface FakeIndex extends TicketIndex {
	pause: TicketIndex['pause'];
	/** Tickets with the newest number first; `state` defaults to `whole`. */
	know(ref: TrackerRef, tickets: readonly (Ticket | IndexedTicket)[], state?: IndexState): void;
	/** Adds an unread tracker without an event. */
	list(ref: TrackerRef): void;
	/** Trackers requested completely. */
	readonly readWholes: string[];
	/** Trackers reported as visible, in order. */
	readonly inUses: string[];
}

export function fakeIndex(checkedAtMs = Date.UTC(2026, 10, 20, 11, 48)): FakeIndex {
	const known = new Map<
		string,
		{ readonly ref: TrackerRef; readonly tickets: readonly IndexedTicket[]; readonly state: IndexState }
	>();
	const changed = new Emitter<readonly TrackerRef[]>();
	const readWholes: string[] = [];
	const inUses: string[] = [];
	return {
		pause: undefined,
		newsDue: () => undefined,
		ownTrackersDue: () => undefined,
		readWholes,
		inUses,
		inUse: (ref) => void inUses.push(refText(ref)),
		know(ref, tickets, state = { kind: 'whole', known: tickets.length, checkedAtMs }) {
			const entries = tickets.map((each) =>
				'ticket' in each ? each : { ticket: each, comments: [], commentCount: undefined },
			);
			known.set(refText(ref), { ref, tickets: entries, state });
			changed.fire([ref]);
		},
		list: (ref) => void known.set(refText(ref), { ref, tickets: [], state: { kind: 'unread' } }),
		trackers: () => Array.from(known.values(), ({ ref }) => ref),
		state: (ref) => known.get(refText(ref))?.state ?? { kind: 'unread' },
		tickets: (ref) => known.get(refText(ref))?.tickets ?? [],
		checkedAtMs: () => checkedAtMs,
		trackerReading: () => ({
			readMs: undefined,
			olderMs: undefined,
			hasFailed: false,
			failedMs: undefined,
			isVouched: false,
			isBusy: false,
		}),
		onDidChange: changed.event,
		readWhole: async (ref) => void readWholes.push(refText(ref)),
		dispose: () => undefined,
	};
}
