import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { TrackerApi } from './forge.ts';
import { ForgeError } from './forgeError.ts';
import { allPages } from './allPages.ts';
import type { TicketEvent, TicketRef } from './ticket.ts';

/** Events newer than a known one, newest first. Throws `incomplete` if the pages end before it. */
export async function eventsSince(
	api: Pick<TrackerApi, 'events'>,
	ref: TicketRef,
	newestBefore: number,
	signal: AbortSignal,
): Promise<readonly TicketEvent[]> {
	const found: TicketEvent[] = [];
	for await (const { items } of allPages(api.events(ref, signal))) {
		pushAll(
			found,
			items.filter(({ id }) => id > newestBefore),
		);
		if (items.some(({ id }) => id <= newestBefore)) {
			return found;
		}
	}
	if (newestBefore > 0) {
		// Servers never delete events, so the list is incomplete.
		throw new ForgeError({ kind: 'incomplete' });
	}
	return found;
}
