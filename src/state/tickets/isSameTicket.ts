import { areSameFields } from '../../base/isSameValue.ts';
import type { Ticket } from '../../forge/ticket.ts';

/**
 * True when two readings of a ticket say the same of it. What they say of its tracker does not count: that changes with
 * every other ticket there.
 */
export function isSameTicket(one: Ticket, other: Ticket): boolean {
	return one === other || areSameFields(one, other, 'tracker');
}
