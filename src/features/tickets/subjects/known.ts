import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { IndexedTicket } from '../../../engine/search/indexedTicket.ts';
import { isTrackerCached } from '../../../store/cachedTrackers.ts';
import type { Connection } from '../../../store/connection.ts';

/**
 * The account that reads a tracker: one that knows it, otherwise the owner's, otherwise the first. A tracker may be
 * visible to one account and hidden from another.
 */
export function readerOf(ref: TrackerRef, among: readonly Connection[]): Connection | undefined {
	return among.find((each) => isTrackerCached(each, ref)) ?? among.find(({ me }) => me === ref.owner) ?? among[0];
}

/** True after the first page of the tracker. Before that, the index has only single tickets. */
export function isListed({ index }: Connection, tracker: TrackerRef): boolean {
	return index.state(tracker).kind !== 'unread';
}

/** Loaded tickets of a tracker; loads the first page if there is none. */
export async function knownTickets(
	connection: Connection,
	tracker: TrackerRef,
	signal: AbortSignal,
): Promise<readonly IndexedTicket[]> {
	if (!isListed(connection, tracker)) {
		await connection.tickets.tickets(tracker, signal);
	}
	return connection.index.tickets(tracker);
}
