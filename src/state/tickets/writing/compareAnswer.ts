import { assertNever } from '../../../base/assertNever.ts';
import type { Ticket, TicketEvent, TicketUpdate } from '../../../forge/ticket.ts';
import type { LabelWish, StatusMove, TicketWish, Unlike } from './ticketWish.ts';
import { isBlank } from './wishedChanges.ts';

/** Where a server's answer differs from what was wished; nothing where all of it is there. */
export function unlikeness({ comment, move, labels }: TicketWish, { ticket, events }: TicketUpdate): readonly Unlike[] {
	return [
		...(isBlank(comment) || hasComment(events, comment) ? [] : [{ kind: 'comment' as const }]),
		...(move ? unlikeMove(move, ticket) : []),
		...(labels ? unlikeLabels(labels, ticket) : []),
	];
}

/** True when the move is to be seen on the ticket. */
export function isMoved(move: StatusMove, ticket: Ticket): boolean {
	return unlikeMove(move, ticket).length === 0;
}

/** True when one of the events holds a comment with this text. */
function hasComment(events: readonly TicketEvent[], text: string): boolean {
	return commentEvent(events, text) !== undefined;
}

/** The newest event with a comment of this text, as servers may have tidied its line ends. */
export function commentEvent(events: readonly TicketEvent[], text: string): TicketEvent | undefined {
	const wanted = tidied(text);
	return events.find(({ comment }) => comment !== undefined && tidied(comment.text) === wanted);
}

function tidied(text: string): string {
	return text.replaceAll(/\r\n?/g, '\n').trim();
}

function unlikeMove(move: StatusMove, { status, resolution }: Ticket): readonly Unlike[] {
	const wanted = statusWanted(move);
	if (status !== wanted) {
		return [{ kind: 'status', wanted, got: status }];
	}
	return move.kind === 'resolve' && resolution !== move.resolution
		? [{ kind: 'resolution', wanted: move.resolution, got: resolution }]
		: [];
}

/** The status that a move leads to. */
export function statusWanted(move: StatusMove): Exclude<Ticket['status'], `other:${string}`> {
	switch (move.kind) {
		case 'resolve':
			return 'resolved';
		case 'reopen':
			return 'reported';
		case 'set':
			return move.status;
		default:
			return assertNever(move);
	}
}

/** The labels of a wish that a ticket does not show. */
export function labelsLeft({ add, remove }: LabelWish, { labels }: Ticket): LabelWish {
	return {
		add: add.filter((name) => !labels.includes(name) && !remove.includes(name)),
		remove: remove.filter((name) => labels.includes(name)),
	};
}

/** True for a wish that wants nothing. */
export function isNoLabelWish({ add, remove }: LabelWish): boolean {
	return add.length === 0 && remove.length === 0;
}

/** What is wrong with a ticket's labels, one word for each. */
function unlikeLabels(wish: LabelWish, ticket: Ticket): readonly Unlike[] {
	const left = labelsLeft(wish, ticket);
	return [
		...left.add.map((name) => ({ kind: 'labelMissing' as const, name })),
		...left.remove.map((name) => ({ kind: 'labelLeft' as const, name })),
	];
}

/**
 * What a write did to labels that it was not about: somebody changed them between our read and our write, and sending the
 * whole set took that back. Answers the wish that would give it to them again. `events` are those that the write itself made.
 */
export function undoneOfOthers(wish: LabelWish, events: readonly TicketEvent[]): LabelWish {
	const removed = namesOf(events, 'label_removed');
	const added = namesOf(events, 'label_added');
	return {
		add: removed.filter((name) => !wish.remove.includes(name)),
		remove: added.filter((name) => !wish.add.includes(name)),
	};
}

/** True when events tell of labels. */
export function tellsOfLabels(events: readonly TicketEvent[]): boolean {
	return namesOf(events, 'label_removed').length + namesOf(events, 'label_added').length > 0;
}

function namesOf(events: readonly TicketEvent[], kind: 'label_added' | 'label_removed'): readonly string[] {
	return events.filter(({ kinds }) => kinds.includes(kind)).flatMap(({ labels }) => labels);
}

/**
 * The ticket as it was before the write that an answer tells of. `read` is what was known before; status and resolution
 * are what the server says that they were.
 */
export function ticketBefore(read: Ticket | undefined, { ticket, events }: TicketUpdate): Ticket {
	const move = events.find(({ kinds }) => kinds.includes('status_change'));
	const { status, resolution } = ticket;
	return {
		...(read ?? ticket),
		status: move?.oldStatus ?? status,
		resolution: move?.oldResolution ?? resolution,
	};
}
