import type { Ticket, TicketEvent } from '../../../forge/port/ticket.ts';
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
} from '../../../forge/port/ticketRequest.ts';

/** Differences between a response and its request. */
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

function hasComment(events: readonly TicketEvent[], text: string): boolean {
	return commentEvent(events, text) !== undefined;
}

/** The newest event with this comment text. */
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

/** The part of the request that the ticket doesn't have. */
export function labelsLeft(wish: LabelRequest, { labels }: Ticket): LabelRequest {
	return left(wish, labels);
}

/** The part of the request that the ticket doesn't have. */
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

function labelDeviations(wish: LabelRequest, ticket: Ticket): readonly Deviation[] {
	const { add, remove } = labelsLeft(wish, ticket);
	return [
		...add.map((name) => ({ kind: 'labelMissing' as const, name })),
		...remove.map((name) => ({ kind: 'labelLeft' as const, name })),
	];
}

function assigneeDeviations(wish: AssigneeRequest, ticket: Ticket): readonly Deviation[] {
	const { add, remove } = assigneesLeft(wish, ticket);
	return [
		...add.map((name) => ({ kind: 'assigneeMissing' as const, name })),
		...remove.map((name) => ({ kind: 'assigneeLeft' as const, name })),
	];
}

/** The ticket before a write. `read` is the known ticket; the response's events have the old status and resolution. */
export function ticketBefore(read: Ticket | undefined, { ticket, events }: ChangedTicket): Ticket {
	const move = events.find(({ kinds }) => kinds.includes('status_change'));
	const { status, resolution } = ticket;
	return {
		...(read ?? ticket),
		status: move?.oldStatus ?? status,
		resolution: move?.oldResolution ?? resolution,
	};
}
