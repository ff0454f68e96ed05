import type { TrackerApi } from '../../forge/port/forge.ts';
import { ForgeError } from '../../forge/port/forgeError.ts';
import type { TicketRef } from '../../forge/port/ticket.ts';
import { isNothing, type Leaving, type TicketOutcome, type TicketRequest } from '../../forge/port/ticketRequest.ts';

interface Sending {
	readonly ref: TicketRef;
	readonly asked: TicketRequest & Leaving;
}

/** Chooses the API call for a request. */
export async function sendRequest(
	api: TrackerApi,
	{ ref, asked: { assignees, ...asked } }: Sending,
	signal: AbortSignal,
): Promise<TicketOutcome> {
	if (assignees === undefined) {
		return api.updateTicket(ref, asked, signal);
	}
	if (!isNothing(asked)) {
		throw new Error('Assignees were to be changed together with something else');
	}
	if (!api.assign) {
		throw new ForgeError({ kind: 'notOffered' });
	}
	return api.assign(ref, { ...assignees, ...(asked.leaving ? { leaving: asked.leaving } : {}) }, signal);
}
