import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { IndexedTicket } from '../../../engine/search/indexedTicket.ts';
import type { Connection } from '../../../store/connection.ts';

/** Own and followed trackers from loaded data. Makes no requests. */
export function trackersOf({ index, tickets }: Connection): readonly TrackerRef[] {
	const all = [...index.trackers(), ...tickets.trackers.followed.all()];
	return all.filter((ref, place) => all.findIndex((other) => isSame(ref, other)) === place);
}

/** True if loaded data contains the tracker. Makes no requests. */
export function knowsTracker(connection: Connection, ref: TrackerRef): boolean {
	return (
		connection.tickets.trackers.known(ref) !== undefined || trackersOf(connection).some((each) => isSame(each, ref))
	);
}

/**
 * The account that reads a tracker: one that knows it, otherwise the owner's, otherwise the first. A tracker may be
 * visible to one account and hidden from another.
 */
export function readerOf(ref: TrackerRef, among: readonly Connection[]): Connection | undefined {
	return among.find((each) => knowsTracker(each, ref)) ?? among.find(({ me }) => me === ref.owner) ?? among[0];
}

/** Servers look trackers up without regard to case (docs/protocol.md#tracker-look-up). */
function isSame(one: TrackerRef, other: TrackerRef): boolean {
	return one.owner === other.owner && one.name.toLowerCase() === other.name.toLowerCase();
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
