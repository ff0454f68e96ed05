import type { Ticket, TicketRef } from '../../../forge/ticket.ts';
import type { TicketIndex } from './ticketIndexer.ts';
import type { TicketStore } from '../ticketStore.ts';

/** Where an account's tickets are known from. */
export interface KnownTickets {
	readonly tickets: Pick<TicketStore, 'knownTicket'>;
	readonly index: Pick<TicketIndex, 'tickets'>;
}

/** A ticket as it is known without asking: as it was opened, or as its tracker was read in the background. */
export function knownTicket({ tickets, index }: KnownTickets, ref: TicketRef): Ticket | undefined {
	return tickets.knownTicket(ref) ?? index.tickets(ref.tracker).find(({ ticket }) => ticket.id === ref.id)?.ticket;
}
