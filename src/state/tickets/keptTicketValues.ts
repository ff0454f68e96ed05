import {
	ticketEventKinds,
	ticketResolutions,
	ticketStatuses,
	type Comment,
	type ShortTicket,
	type Ticket,
	type TicketEvent,
	type TicketResolution,
	type TicketStatus,
} from '../../forge/ticket.ts';
import type { ShortTracker } from '../../forge/tracker.ts';
import type { Participant } from '../../forge/user.ts';
import { extraFieldOf, keptWord, listOf, maybe, shortUserOf, text, time, whole } from '../shared/keptFields.ts';
import { fieldsOf, isParticipant, isTicket } from '../shared/keptValues.ts';

/*
 * Tickets and what happened to them, read back from the disk. Each of these throws for a value that is not what it should
 * be.
 */

/** A ticket. */
export function ticketOf(value: unknown): Ticket {
	// JSON leaves out what is undefined.
	const ticket: unknown = { permissions: undefined, ...fieldsOf(value) };
	if (!isTicket(ticket)) {
		throw new Error('The file is not as it was written');
	}
	statusOf(ticket.status);
	resolutionOf(ticket.resolution);
	maybe(ticket.extra, (extra) => listOf(extra, extraFieldOf));
	return ticket;
}

/** An entry of a timeline. */
export function eventOf(value: unknown): TicketEvent {
	const { id, createdMs, kinds, user, ticket, comment, labels, byUser, fromTicket, extra, ...changes } =
		fieldsOf(value);
	const { oldStatus, newStatus, oldResolution, newResolution } = changes;
	return {
		id: whole(id),
		createdMs: time(createdMs),
		kinds: listOf(kinds, (kind) => keptWord(ticketEventKinds, kind)),
		oldStatus: maybe(oldStatus, statusOf),
		newStatus: maybe(newStatus, statusOf),
		oldResolution: maybe(oldResolution, resolutionOf),
		newResolution: maybe(newResolution, resolutionOf),
		user: maybe(user, participantOf),
		ticket: maybe(ticket, shortTicketOf),
		comment: maybe(comment, commentOf),
		labels: listOf(labels, text),
		byUser: maybe(byUser, participantOf),
		fromTicket: maybe(fromTicket, shortTicketOf),
		...(extra === undefined ? {} : { extra: listOf(extra, extraFieldOf) }),
	};
}

function commentOf(value: unknown): Comment {
	const { id, createdMs, submitter, text: said } = fieldsOf(value);
	return { id: whole(id), createdMs: time(createdMs), submitter: participantOf(submitter), text: text(said) };
}

function shortTicketOf(value: unknown): ShortTicket {
	const { id, ref, tracker, title } = fieldsOf(value);
	return { id: whole(id), ref: text(ref), tracker: shortTrackerOf(tracker), title: maybe(title, text) };
}

function shortTrackerOf(value: unknown): ShortTracker {
	const { owner, name, createdMs, updatedMs } = fieldsOf(value);
	return { owner: shortUserOf(owner), name: text(name), createdMs: time(createdMs), updatedMs: time(updatedMs) };
}

function participantOf(value: unknown): Participant {
	if (!isParticipant(value)) {
		throw new Error('The file is not as it was written');
	}
	return value;
}

function statusOf(value: unknown): TicketStatus {
	return keptWord(ticketStatuses, value);
}

function resolutionOf(value: unknown): TicketResolution {
	return keptWord(ticketResolutions, value);
}
