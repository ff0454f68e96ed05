import { unfit } from '../../../forge/port/forgeError.ts';
import { ticketLimits } from '../../../forge/port/ticketLimits.ts';
import { isBlank, type TicketRequest } from '../../../forge/port/ticketRequest.ts';

/** Throws for a request that the server would reject, before sending it. */
export function checkRequest({ comment, move }: TicketRequest): void {
	if (!isBlank(comment) && !isCommentLength(comment)) {
		throw unfit('comment', 'commentLength');
	}
	if (move?.kind === 'resolve' && move.resolution === 'unresolved') {
		throw unfit('resolution', 'resolutionMissing');
	}
}

export function isCommentLength(comment: string): boolean {
	const { shortestComment, longestComment } = ticketLimits;
	const length = lengthOf(comment);
	return length >= shortestComment && length <= longestComment;
}

/** Servers count code points, not UTF-16 units. */
function lengthOf(text: string): number {
	return Array.from(text).length;
}
