import type { IndexedTicket } from '../../../engine/search/indexedTicket.ts';
import type { TicketList } from '../ticketList.ts';

/** A page that is due for another read. */
export interface DuePage {
	/** First ticket number; `undefined` for the newest page. */
	readonly from: number | undefined;
	/** Priority: milliseconds since the last check, summed over its open tickets. */
	readonly need: number;
}

/** Tickets per page on observed servers (docs/protocol.md#pages). */
const pageSize = 50;
/** An open ticket checked within this time is not due. */
const openRestMs = 10 * 60_000;
/** The same for a closed ticket. */
const closedRestMs = 6 * 3_600_000;
/** Weight of a closed ticket. */
const closedShare = 0.01;
/** A whole list in one response costs the server in proportion to its size. */
const wholeRestPerTicketMs = 100;

/**
 * The page with the highest priority; `undefined` when no page is due. Times are milliseconds since 1970. `wishedMs`: time
 * of a user refresh; data read earlier is due. `areClosedDue`: false where pages of closed tickets alone can wait.
 */
export function pageToReread(list: TicketList, nowMs: number, wishedMs = 0, areClosedDue = true): DuePage | undefined {
	const tickets = list.indexed();
	const size = list.isUnstated ? Math.max(1, tickets.length) : pageSize;
	const restMs = list.isUnstated ? Math.max(openRestMs, tickets.length * wholeRestPerTicketMs) : openRestMs;
	let best: DuePage | undefined;
	const ages = tickets.map(({ ticket }) => ageOf(list.checkedAtMs(ticket.id) ?? 0, nowMs));
	const isDue = ({ ticket: { status } }: IndexedTicket, at: number): boolean => {
		const isOpen = status !== 'resolved';
		const ageMs = ages[at] ?? 0;
		const isOld = ageMs >= (isOpen ? restMs : closedRestMs) || nowMs - ageMs < wishedMs;
		return isOld && (isOpen || areClosedDue);
	};
	let start = 0;
	for (const [at, each] of tickets.entries()) {
		if (at >= start && isDue(each, at)) {
			// Closed tickets need no pages of their own.
			const top = areClosedDue ? at - (at % size) : at;
			start = top + size;
			let need = 0;
			for (let below = top; below < Math.min(start, tickets.length); below += 1) {
				need += (ages[below] ?? 0) * (tickets[below]?.ticket.status === 'resolved' ? closedShare : 1);
			}
			best = need > (best?.need ?? 0) ? { from: fromOf(list, top, each.ticket.id), need } : best;
		}
	}
	return best;
}

/** Numbers of the due tickets, longest unchecked first, open ones before closed ones. */
export function ticketsToRecheck(list: TicketList, nowMs: number, wishedMs: number, most: number): readonly number[] {
	const due = list.indexed().flatMap(({ ticket: { id, status } }) => {
		const isOpen = status !== 'resolved';
		const ageMs = ageOf(list.checkedAtMs(id) ?? 0, nowMs);
		return ageMs < (isOpen ? openRestMs : closedRestMs) && nowMs - ageMs >= wishedMs
			? []
			: [{ id, need: isOpen ? ageMs : ageMs * closedShare }];
	});
	return due
		.toSorted((one, other) => other.need - one.need)
		.slice(0, most)
		.map(({ id }) => id);
}

/** With cursors, the server decides where pages end: choose the one that contains the first due ticket. */
function fromOf(list: TicketList, start: number, firstDue: number): number | undefined {
	const { newestEnd } = list.cursors;
	if (newestEnd === undefined || list.isUnstated) {
		return start === 0 ? undefined : list.indexed()[start]?.ticket.id;
	}
	return firstDue >= newestEnd ? undefined : firstDue;
}

/** A check time in the future means that the clock was set back; treat it as never checked. */
function ageOf(checkedAtMs: number, nowMs: number): number {
	return checkedAtMs > nowMs ? closedRestMs : nowMs - checkedAtMs;
}
