import type { Ticket } from '../../../forge/ticket.ts';
import { foldedHolds } from '../../../search/foldText.ts';

/**
 * At most so many of these tickets. Where there are more, those whose number or title holds what was typed go before the
 * others, so that typing on finds every one.
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
