import type { TrackerApi } from './forge.ts';
import type { TicketEvent, TicketRef } from './ticket.ts';

/** Events newer than one that is known, newest first, over as many pages as it takes. */
export async function eventsSince(
	api: Pick<TrackerApi, 'events'>,
	ref: TicketRef,
	newestBefore: number,
	signal: AbortSignal,
): Promise<readonly TicketEvent[]> {
	const found: TicketEvent[] = [];
	for await (const { items } of api.events(ref, signal)) {
		found.push(...items.filter(({ id }) => id > newestBefore));
		if (items.some(({ id }) => id <= newestBefore)) {
			break;
		}
	}
	return found;
}
