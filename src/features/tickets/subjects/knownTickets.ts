import type { TrackerRef } from '../../../forge/tracker.ts';
import type { IndexedTicket } from '../../../search/indexedTicket.ts';
import type { Connection } from '../../../state/connection.ts';

/** Whether a page of the tracker's tickets was read. Before that only those are known that somebody looked at. */
export function isListed({ index }: Pick<Connection, 'index'>, tracker: TrackerRef): boolean {
	return index.state(tracker).kind !== 'unread';
}

/** What is known of a tracker's tickets; of one of which no page was read the first page is asked for. */
export async function knownTickets(
	connection: Pick<Connection, 'index' | 'tickets'>,
	tracker: TrackerRef,
	signal: AbortSignal,
): Promise<readonly IndexedTicket[]> {
	if (!isListed(connection, tracker)) {
		await connection.tickets.tickets(tracker, signal);
	}
	return connection.index.tickets(tracker);
}
