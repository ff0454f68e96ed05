import { unfit } from '../../../forge/forgeError.ts';
import type { Ticket, TicketChanges } from '../../../forge/ticket.ts';
import { ticketLimits } from '../../../forge/ticketLimits.ts';
import { assertNever } from '../../../base/assertNever.ts';
import type { LabelWish, StatusMove, TicketWish } from './ticketWish.ts';

/**
 * What is sent for a wish. Labels are merged onto those that the ticket has now, because the whole set is sent, and are
 * left out where nothing would change, so that nobody else's change can be undone by it.
 */
export function wishedChanges({ comment, move, labels }: TicketWish, now: Ticket | undefined): TicketChanges {
	const wanted = labels && now ? mergedLabels(now.labels, labels) : undefined;
	return {
		...(isBlank(comment) ? {} : { comment }),
		...(move ? movedTo(move) : {}),
		...(wanted ? { labels: wanted } : {}),
	};
}

/** The whole set of labels to ask for; `undefined` where the ticket has it already. */
function mergedLabels(now: readonly string[], { add, remove }: LabelWish): readonly string[] | undefined {
	const wanted = new Set([...now, ...add]);
	for (const name of remove) {
		wanted.delete(name);
	}
	const isSame = wanted.size === now.length && now.every((name) => wanted.has(name));
	return isSame ? undefined : [...wanted].toSorted();
}

/**
 * Status and resolution always go together when something is resolved, and never otherwise
 * (docs/protocol.md#ticket-updates).
 */
function movedTo(move: StatusMove): Pick<TicketChanges, 'status' | 'resolution'> {
	switch (move.kind) {
		case 'resolve':
			return { status: 'resolved', resolution: move.resolution };
		case 'reopen':
			return { status: 'reported' };
		case 'set':
			return { status: move.status };
		default:
			return assertNever(move);
	}
}

/** True for a comment that says nothing, and is not sent. */
export function isBlank(comment: string | undefined): comment is undefined {
	return comment === undefined || comment.trim() === '';
}

/** Throws what the server would refuse anyway, before anything is sent. */
export function checkWish({ comment, move }: TicketWish): void {
	if (!isBlank(comment) && !isCommentLength(comment)) {
		throw unfit('comment', 'commentLength');
	}
	if (move?.kind === 'resolve' && move.resolution === 'unresolved') {
		throw unfit('resolution', 'resolutionMissing');
	}
}

/** True for a comment that is neither too short nor too long for a forge. */
export function isCommentLength(comment: string): boolean {
	const { shortestComment, longestComment } = ticketLimits;
	const length = lengthOf(comment);
	return length >= shortestComment && length <= longestComment;
}

/** Servers count characters, not their halves. */
function lengthOf(text: string): number {
	return Array.from(text).length;
}
