import type { User } from '../../shared/area.ts';
import { permissionsOn } from '../../tickets/ticketAccess.ts';
import type { Permission, Ticket, Tracker } from '../../tickets/ticketModel.ts';

/** True if the user may find the tracker. */
export function finds(user: User, tracker: Tracker): boolean {
	return permissionsOn(tracker, undefined, user).size > 0;
}

/** True if the user may see the ticket, as its submitter too. */
export function sees(user: User, ticket: Ticket): boolean {
	return permissionsOn(ticket.tracker, ticket, user).has('browse');
}

/**
 * A user's permission in a tracker. Unlike REST, GraphQL gives submitters no more rights to their tickets
 * (docs/protocol.md#rights-in-graphql).
 */
export function holds(user: User, tracker: Tracker, needed: Permission): boolean {
	return permissionsOn(tracker, undefined, user).has(needed);
}
