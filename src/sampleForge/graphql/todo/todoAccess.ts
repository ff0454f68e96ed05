import type { User } from '../../shared/area.ts';
import { permissionsOn } from '../../tickets/ticketAccess.ts';
import type { Permission, Ticket, Tracker } from '../../tickets/ticketModel.ts';

/** Whether a tracker is there at all for somebody. */
export function finds(user: User, tracker: Tracker): boolean {
	return permissionsOn(tracker, undefined, user).size > 0;
}

/** Whether a ticket is there for somebody: also for who submitted it. */
export function sees(user: User, ticket: Ticket): boolean {
	return permissionsOn(ticket.tracker, ticket, user).has('browse');
}

/**
 * What somebody may do in a tracker. Unlike REST, GraphQL asks the tracker alone: who submitted a ticket may do no more
 * to it than others (docs/protocol.md#rights-in-graphql).
 */
export function holds(user: User, tracker: Tracker, needed: Permission): boolean {
	return permissionsOn(tracker, undefined, user).has(needed);
}
