import type { TrackerApi } from '../../../forge/forge.ts';
import { ForgeError } from '../../../forge/forgeError.ts';
import type { Ticket, TicketRef } from '../../../forge/ticket.ts';
import type { TextChange } from '../../../forge/ticketRequest.ts';
import { isSameText } from '../../shared/isSameText.ts';
import { sentOnce, type SendingSignals } from '../../shared/sentOnce.ts';
import type { TicketStore } from '../ticketStore.ts';

/** What changing a ticket's text needs. */
interface EditParts {
	readonly api: Pick<TrackerApi, 'edit'>;
	readonly store: Pick<TicketStore, 'renewTicket' | 'apply'>;
}

/** A ticket and what it is to say. */
interface Edit {
	readonly ref: TicketRef;
	readonly change: TextChange;
}

/** Sends what a ticket is to say once. When the answer is lost, the ticket tells whether it is there all the same. */
export async function editTextOnce(
	{ api, store }: EditParts,
	{ ref, change }: Edit,
	signals: SendingSignals,
): Promise<void> {
	const { edit } = api;
	if (!edit) {
		throw new ForgeError({ kind: 'notOffered' });
	}
	const ticket = await sentOnce(
		(signal) => edit(ref, change, signal),
		async (looking) => {
			const now = await store.renewTicket(ref, looking);
			return saysAll(now, change) ? now : undefined;
		},
		signals,
	);
	store.apply({ kind: 'ticketChanged', ticket });
}

/** True for a ticket that says all of it. */
export function saysAll(ticket: Pick<Ticket, 'title' | 'description'>, { title, description }: TextChange): boolean {
	return (
		(title === undefined || title === ticket.title) &&
		(description === undefined || isSameText(description, ticket.description))
	);
}
