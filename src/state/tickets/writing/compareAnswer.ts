import type { Ticket, TicketEvent } from '../../../forge/ticket.ts';
import { isSameText } from '../../shared/isSameText.ts';
import {
	isBlank,
	statusWanted,
	type AssigneeRequest,
	type ChangedTicket,
	type Deviation,
	type LabelRequest,
	type StatusMove,
	type TicketRequest,
} from '../../../forge/ticketRequest.ts';

/** Where a server's answer differs from what was asked for; nothing where all of it is there. */
export function unlikeness(
	{ comment, move, labels, assignees }: TicketRequest,
	{ ticket, events }: ChangedTicket,
): readonly Deviation[] {
	return [
		...(isBlank(comment) || hasComment(events, comment) ? [] : [{ kind: 'comment' as const }]),
		...(move ? moveDeviation(move, ticket) : []),
		...(labels ? labelDeviations(labels, ticket) : []),
		...(assignees ? assigneeDeviations(assignees, ticket) : []),
	];
}

/** True when one of the events holds a comment with this text. */
function hasComment(events: readonly TicketEvent[], text: string): boolean {
	return commentEvent(events, text) !== undefined;
}

/** The newest event with a comment of this text. */
export function commentEvent(events: readonly TicketEvent[], text: string): TicketEvent | undefined {
	return events.find(({ comment }) => comment !== undefined && isSameText(comment.text, text));
}

function moveDeviation(move: StatusMove, { status, resolution }: Ticket): readonly Deviation[] {
	const wanted = statusWanted(move);
	if (status !== wanted) {
		return [{ kind: 'status', wanted, got: status }];
	}
	return move.kind === 'resolve' && resolution !== move.resolution
		? [{ kind: 'resolution', wanted: move.resolution, got: resolution }]
		: [];
}

/** The labels of a request that a ticket does not show. */
export function labelsLeft(wish: LabelRequest, { labels }: Ticket): LabelRequest {
	return left(wish, labels);
}

/** The assignees of a request whom a ticket does not show. */
export function assigneesLeft(wish: AssigneeRequest, { assignees }: Ticket): AssigneeRequest {
	return left(
		wish,
		assignees.map(({ canonicalName }) => canonicalName),
	);
}

function left({ add, remove }: LabelRequest, present: readonly string[]): LabelRequest {
	return {
		add: add.filter((name) => !present.includes(name) && !remove.includes(name)),
		remove: remove.filter((name) => present.includes(name)),
	};
}

/** What is wrong with a ticket's labels, one word for each. */
function labelDeviations(wish: LabelRequest, ticket: Ticket): readonly Deviation[] {
	const { add, remove } = labelsLeft(wish, ticket);
	return [
		...add.map((name) => ({ kind: 'labelMissing' as const, name })),
		...remove.map((name) => ({ kind: 'labelLeft' as const, name })),
	];
}

/** The same of people. */
function assigneeDeviations(wish: AssigneeRequest, ticket: Ticket): readonly Deviation[] {
	const { add, remove } = assigneesLeft(wish, ticket);
	return [
		...add.map((name) => ({ kind: 'assigneeMissing' as const, name })),
		...remove.map((name) => ({ kind: 'assigneeLeft' as const, name })),
	];
}

/**
 * The ticket as it was before the write that an answer tells of. `read` is what was known before; status and resolution
 * are what the server says that they were.
 */
export function ticketBefore(read: Ticket | undefined, { ticket, events }: ChangedTicket): Ticket {
	const move = events.find(({ kinds }) => kinds.includes('status_change'));
	const { status, resolution } = ticket;
	return {
		...(read ?? ticket),
		status: move?.oldStatus ?? status,
		resolution: move?.oldResolution ?? resolution,
	};
}
