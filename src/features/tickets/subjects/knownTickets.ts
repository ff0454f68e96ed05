import type { TrackerRef } from '../../../forge/port/tracker.ts';
import type { IndexedTicket } from '../../../engine/search/indexedTicket.ts';
import type { Connection } from '../../../store/connection.ts';

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
