import type { Ticket } from '../../../forge/port/ticket.ts';
import { foldedHolds } from '../../../engine/search/foldText.ts';

/**
 * At most `most` of the tickets. Beyond that, tickets whose number or title contains the typed text go first, so that
 * further typing finds every ticket.
 */
export function offeredTickets(tickets: readonly Ticket[], typed: string, most: number): readonly Ticket[] {
	const wanted = typed.replace(/^#/, '');
	if (tickets.length <= most || wanted === '') {
		return tickets.slice(0, most);
	}
	const holds = foldedHolds(wanted);
	const fits = (ticket: Ticket): boolean => String(ticket.id).startsWith(wanted) || holds(ticket.title);
	return [...tickets.filter(fits), ...tickets.filter((ticket) => !fits(ticket))].slice(0, most);
}
