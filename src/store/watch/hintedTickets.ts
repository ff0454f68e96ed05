import type { DeliveryHint } from '../../forge/port/deliveryHint.ts';
import { ticketRefText, type TicketRef } from '../../forge/port/ticket.ts';
import type { TrackerRef } from '../../forge/port/tracker.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import type { TicketIndex } from '../tickets/index/ticketIndexer.ts';
import { newsMs } from '../tickets/index/trackedTrackers.ts';
import type { TicketStore } from '../tickets/ticketStore.ts';
import { trackerKey } from '../tickets/trackerShelf.ts';
import { answered, nothingMore, orGone, type HintedSpending, type HintedThing } from './hintedThing.ts';
import { fastestMs } from '../background/adaptivePace.ts';
import type { TicketWatch } from './ticketWatch.ts';

export interface HintedTicketsParts {
	readonly tickets: Pick<
		TicketStore,
		| 'knownTicket'
		| 'knownEvents'
		| 'knownTracker'
		| 'renewTicket'
		| 'rereadEvents'
		| 'renewTracker'
		| 'renewLabels'
		| 'hasReadLabels'
	>;
	readonly index: Pick<TicketIndex, 'trackers' | 'newsDue' | 'ownTrackersDue'>;
	readonly ticketWatch: Pick<TicketWatch, 'timelineDue' | 'chosen'>;
	readonly me: OwnerName;
}

/**
 * Reads for hints about trackers and tickets; `undefined` for those that the account neither follows, chose nor shows.
 */
export function hintedTickets({ tickets, index, ticketWatch, me, spend }: HintedTicketsParts & HintedSpending) {
	function thing(key: string, read: HintedThing['read']): HintedThing {
		return { key, everyMs: newsMs, isApart: false, read };
	}

	function isFollowed(tracker: TrackerRef): boolean {
		return index.trackers().some((each) => trackerKey(each) === trackerKey(tracker));
	}

	function isChosen(tracker: TrackerRef): boolean {
		return ticketWatch.chosen.hasTracker(tracker);
	}

	/** Leaves the read to the poller. */
	function due(makeDue: () => void): Promise<typeof nothingMore> {
		makeDue();
		return Promise.resolve(nothingMore);
	}

	function ifMine({ owner }: TrackerRef): readonly DeliveryHint[] {
		return owner === me ? [{ kind: 'ownTrackers' }] : nothingMore;
	}

	/** The ticket watch reads the timeline and reports it. A ticket that only a page shows has its timeline read here. */
	async function readTicket(ref: TicketRef, signal: AbortSignal): Promise<readonly DeliveryHint[]> {
		spend();
		const isThere = await answered(tickets.renewTicket(ref, signal));
		// A refused ticket has a refused timeline.
		if (isThere && !ticketWatch.timelineDue(ref) && tickets.knownEvents(ref)) {
			spend();
			await tickets.rereadEvents(ref, 'renew', signal);
		}
		return nothingMore;
	}

	return {
		ticket(ref: TicketRef) {
			const isWanted =
				isFollowed(ref.tracker) || ticketWatch.chosen.hasTicket(ref) || tickets.knownTicket(ref) !== undefined;
			const key = `ticket ${ticketRefText(ref).toLowerCase()}`;
			return isWanted ? thing(key, (_, signal) => readTicket(ref, signal)) : undefined;
		},
		newest(tracker: TrackerRef) {
			const key = `tickets ${trackerKey(tracker)}`;
			if (isFollowed(tracker)) {
				return thing(key, (sinceMs) => due(() => index.newsDue(tracker, sinceMs)));
			}
			const read: HintedThing['read'] = (sinceMs) => due(() => ticketWatch.chosen.newsDue(tracker, sinceMs));
			return isChosen(tracker) ? { ...thing(key, read), everyMs: fastestMs } : undefined;
		},
		tracker(ref: TrackerRef) {
			const read: HintedThing['read'] = (_, signal) => {
				spend();
				return orGone(tickets.renewTracker(ref, signal), ifMine(ref));
			};
			const isWanted = isFollowed(ref) || isChosen(ref) || tickets.knownTracker(ref) !== undefined;
			return isWanted ? thing(`tracker ${trackerKey(ref)}`, read) : undefined;
		},
		labels(tracker: TrackerRef) {
			const read: HintedThing['read'] = (_, signal) => {
				spend();
				return orGone(tickets.renewLabels(tracker, signal), ifMine(tracker));
			};
			return tickets.hasReadLabels(tracker) ? thing(`labels ${trackerKey(tracker)}`, read) : undefined;
		},
		ownTrackers: thing('own trackers', () => due(() => index.ownTrackersDue())),
		/** Key prefix for all tickets of a tracker. */
		prefixOf: (tracker: TrackerRef) => `ticket ${trackerKey(tracker)}#`,
	};
}
