import { findTicket, type Permission, type Ticket, type Tracker } from '../../tickets/ticketModel.ts';
import { notFound, refuseAccess } from '../refusals.ts';
import { type Asking, finds, holds, sees } from './todoShapes.ts';

/** A ticket in mutations. */
export interface TicketName {
	readonly trackerId: number;
	readonly ticketId: number;
}

/** The tracker, if the caller may find it. */
export function findTracker({ room, user }: Asking, id: number): Tracker | undefined {
	return room.store.trackers.find((tracker) => tracker.id === id && finds(user, tracker));
}

/** The tracker, or an error without this permission. */
function allowedTracker(asking: Asking, id: number, needed: Permission): Tracker {
	const tracker = findTracker(asking, id);
	if (tracker === undefined) {
		throw notFound(asking.age, 'tracker');
	}
	if (!holds(asking.user, tracker, needed)) {
		throw refuseAccess(asking.age);
	}
	return tracker;
}

/** The ticket, or an error without this permission. */
export function allowedTicket(asking: Asking, { trackerId, ticketId }: TicketName, needed: Permission): Ticket {
	return seenTicket(asking, allowedTracker(asking, trackerId, needed), ticketId);
}

/** The ticket, or an error if the caller can't see it. */
function seenTicket({ user, age }: Asking, tracker: Tracker, number: number): Ticket {
	const ticket = findTicket(tracker, number);
	if (ticket === undefined || !sees(user, ticket)) {
		throw notFound(age, 'ticket');
	}
	return ticket;
}

/** The caller's own tracker. */
export function ownTracker({ room, user }: Asking, id: number): Tracker | undefined {
	return room.store.trackers.find((tracker) => tracker.id === id && tracker.owner === user);
}

/** The ticket, if the caller may see it. */
export function findSeenTicket(asking: Asking, { trackerId, ticketId }: TicketName): Ticket | undefined {
	const tracker = findTracker(asking, trackerId);
	const ticket = tracker === undefined ? undefined : findTicket(tracker, ticketId);
	return ticket !== undefined && sees(asking.user, ticket) ? ticket : undefined;
}
