import type { TrackerApi } from '../../../forge/forge.ts';
import { ForgeError } from '../../../forge/forgeError.ts';
import type { TicketRef } from '../../../forge/ticket.ts';
import { isGone, sentOnce, type SendingSignals } from '../../shared/sentOnce.ts';
import type { TicketStore } from '../ticketStore.ts';

/** What deleting a ticket needs. */
interface RemoveParts {
	readonly api: Pick<TrackerApi, 'removeTicket' | 'ticket'>;
	readonly store: Pick<TicketStore, 'apply'>;
}

/** Deletes a ticket. When the answer is lost, it is looked for. */
export async function removeTicketOnce(
	{ api, store }: RemoveParts,
	ref: TicketRef,
	signals: SendingSignals,
): Promise<void> {
	const { removeTicket } = api;
	if (!removeTicket) {
		throw new ForgeError({ kind: 'notOffered' });
	}
	await sentOnce<unknown>(
		(signal) => removeTicket(ref, signal),
		(looking) => isGone(async () => (await api.ticket(ref, looking)).id === ref.id),
		signals,
	);
	store.apply({ kind: 'ticketDeleted', ticket: ref });
}
