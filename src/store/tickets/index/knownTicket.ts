import type { Ticket, TicketRef } from 'sourcehut/port/ticket.ts';
import type { TicketIndex } from './ticketIndexer.ts';
import type { TicketStore } from '../ticketStore.ts';

export interface KnownTickets {
	readonly tickets: TicketStore;
	readonly index: TicketIndex;
}

/** From the store or the index. No request. */
export function knownTicket({ tickets, index }: KnownTickets, ref: TicketRef): Ticket | undefined {
	return tickets.knownTicket(ref) ?? index.tickets(ref.tracker).find(({ ticket }) => ticket.id === ref.id)?.ticket;
}
