import type { TicketRef } from '../../port/ticket.ts';
import { askableId, byName } from '../door/variables.ts';

/** Variables that name a ticket. */
export function inTicket({ tracker, id }: TicketRef): ReturnType<typeof byName> & { readonly id: number } {
	return { ...byName(tracker), id: askableId(id) };
}
