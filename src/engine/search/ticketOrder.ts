import type { SortOrder } from './filterTerm.ts';
import type { IndexedTicket } from './indexedTicket.ts';

/** Negative when `a` sorts first. */
export type TicketComparer = (a: IndexedTicket, b: IndexedTicket) => number;

/** The forge's default order. */
export const usualOrder: SortOrder = { key: 'updated', isReversed: false };

/**
 * A total order: ties sort by number descending, then by reference. Tickets with an unknown number of comments sort
 * last in both directions.
 */
export function ticketComparer({ key, isReversed }: SortOrder): TicketComparer {
	const sign = isReversed ? -1 : 1;
	switch (key) {
		case 'updated':
			return (a, b) => sign * (b.ticket.updatedMs - a.ticket.updatedMs) || byNumber(a, b);
		case 'created':
			return (a, b) => sign * (b.ticket.createdMs - a.ticket.createdMs) || byNumber(a, b);
		case 'number':
			return (a, b) => sign * (b.ticket.id - a.ticket.id) || byReference(a, b);
		case 'comments':
			return (a, b) => byComments(a, b, sign) || byNumber(a, b);
	}
}

function byComments(a: IndexedTicket, b: IndexedTicket, sign: number): number {
	if (a.commentCount === undefined || b.commentCount === undefined) {
		return Number(a.commentCount === undefined) - Number(b.commentCount === undefined);
	}
	return sign * (b.commentCount - a.commentCount);
}

function byNumber(a: IndexedTicket, b: IndexedTicket): number {
	return b.ticket.id - a.ticket.id || byReference(a, b);
}

function byReference(a: IndexedTicket, b: IndexedTicket): number {
	if (a.ticket.ref === b.ticket.ref) {
		return 0;
	}
	return a.ticket.ref < b.ticket.ref ? -1 : 1;
}
