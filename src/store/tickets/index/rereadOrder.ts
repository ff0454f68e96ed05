import type { TicketCursors } from '../ticketCursors.ts';
import type { IndexedTicket } from '../../../engine/search/indexedTicket.ts';

/** A page that is due for another read. */
export interface DuePage {
	/** First ticket number; `undefined` for the newest page. */
	readonly from: number | undefined;
	/** Priority: milliseconds since the last check, summed over its open tickets. */
	readonly need: number;
}

/** Milliseconds since 1970. */
export interface RereadTimes {
	readonly nowMs: number;
	/** Time of a user refresh; data read earlier is due. */
	readonly wishedMs?: number;
}

/** The parts of a list that the planner needs. */
export interface RereadList {
	/** Newest number first. */
	indexed(): readonly IndexedTicket[];
	checkedAtMs(id: number): number | undefined;
	/** Every response contains the whole list. */
	readonly isUnstated: boolean;
	readonly cursors: Pick<TicketCursors, 'newestEnd'>;
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

/** The page with the highest priority; `undefined` when no page is due. */
export function pageToReread(list: RereadList, { nowMs, wishedMs = 0 }: RereadTimes): DuePage | undefined {
	const tickets = list.indexed();
	const size = list.isUnstated ? Math.max(1, tickets.length) : pageSize;
	const restMs = list.isUnstated ? Math.max(openRestMs, tickets.length * wholeRestPerTicketMs) : openRestMs;
	let best: DuePage | undefined;
	for (let start = 0; start < tickets.length; start += size) {
		const { need, firstDue } = needOf(list, tickets, {
			start,
			end: Math.min(tickets.length, start + size),
			nowMs,
			wishedMs,
			restMs,
		});
		if (need > (best?.need ?? 0)) {
			best = { from: fromOf(list, start, firstDue), need };
		}
	}
	return best;
}

/** Numbers of the due tickets, longest unchecked first, open ones before closed ones. */
export function ticketsToRecheck(
	list: RereadList,
	{ nowMs, wishedMs = 0 }: RereadTimes,
	most: number,
): readonly number[] {
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
function fromOf(list: RereadList, start: number, firstDue: number): number | undefined {
	const { newestEnd } = list.cursors;
	if (newestEnd === undefined || list.isUnstated) {
		return start === 0 ? undefined : list.indexed()[start]?.ticket.id;
	}
	const id = list.indexed()[firstDue]?.ticket.id ?? newestEnd;
	return id >= newestEnd ? undefined : id;
}

interface Span {
	readonly start: number;
	readonly end: number;
	readonly nowMs: number;
	readonly wishedMs: number;
	readonly restMs: number;
}

function needOf(
	list: RereadList,
	tickets: readonly IndexedTicket[],
	{ start, end, nowMs, wishedMs, restMs }: Span,
): { readonly need: number; readonly firstDue: number } {
	let need = 0;
	let firstDue: number | undefined;
	for (let place = start; place < end; place += 1) {
		const ticket = tickets[place]?.ticket;
		if (ticket !== undefined) {
			const isOpen = ticket.status !== 'resolved';
			const ageMs = ageOf(list.checkedAtMs(ticket.id) ?? 0, nowMs);
			firstDue ??= ageMs >= (isOpen ? restMs : closedRestMs) || nowMs - ageMs < wishedMs ? place : undefined;
			need += isOpen ? ageMs : ageMs * closedShare;
		}
	}
	return firstDue === undefined ? { need: 0, firstDue: start } : { need, firstDue };
}

/** A check time in the future means that the clock was set back; treat it as never checked. */
function ageOf(checkedAtMs: number, nowMs: number): number {
	return checkedAtMs > nowMs ? closedRestMs : nowMs - checkedAtMs;
}
