import { unfit } from '../../../forge/forgeError.ts';
import { ticketLimits } from '../../../forge/ticketLimits.ts';
import { isBlank, type TicketRequest } from '../../../forge/ticketRequest.ts';

/** Throws what the server would refuse anyway, before anything is sent. */
export function checkRequest({ comment, move }: TicketRequest): void {
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
