import { areSameFields } from '../../base/isSameValue.ts';
import type { Ticket } from '../../forge/ticket.ts';

/** Compares two readings of a ticket. Ignores the tracker, which changes with every other ticket. */
export function isSameTicket(one: Ticket, other: Ticket): boolean {
	return one === other || areSameFields(one, other, 'tracker');
}
