import type { ListNaming } from '../../../editor/trees/neighbours.ts';
import { refOfTicket } from '../../../forge/ticket.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { groupRowId } from './groupRows.ts';
import type { SeenTracker, Shelf, ShownTicket } from './shelf.ts';

/** A ticket where it stands in the view. */
export interface Standing {
	/** Id of the row that the ticket's row hangs under: the shelf's, or that of one of its groups. */
	readonly parentId: string;
	/** Whether it is among resolved tickets that are folded away. */
	readonly isFolded: boolean;
	readonly shown: ShownTicket;
}

/** Every row of a shelf from top to bottom. */
export function standings(shelfId: string, shelf: Shelf): readonly Standing[] {
	return shelf.groups.flatMap(({ key, isFolded, tickets }) => {
		const parentId = key ? groupRowId(shelfId, key) : shelfId;
		return tickets.map((shown) => ({ parentId, isFolded, shown }));
	});
}

/** What commands on this ticket are about. */
export function subjectOf({ entry, from }: ShownTicket): TicketSubject {
	return { kind: 'ticket', connectionKey: from.connection.key, ref: refOfTicket(entry.ticket) };
}

/** The same text for the same ticket of the same account. */
export function nameOf({ connectionKey, ref }: TicketSubject): string {
	return `${connectionKey}/${refText(ref.tracker)}#${ref.id}`.toLowerCase();
}

/** Finds a ticket among thousands: its number is compared first, and names are made of those that have it. */
export function isStandingOf({ entry, from }: ShownTicket, { connectionKey, ref }: TicketSubject): boolean {
	return (
		entry.ticket.id === ref.id &&
		from.connection.key === connectionKey &&
		refText(from.ref).toLowerCase() === refText(ref.tracker).toLowerCase()
	);
}

/** A ticket, and the row that it hung under when it was last seen. */
export interface WasStanding {
	readonly subject: TicketSubject;
	readonly parentId: string;
}

/** How tickets are found in lists of them. */
export function inList(ticket: WasStanding): ListNaming<Standing> {
	return {
		placeIn: (list) => placeOf(list, ticket),
		names() {
			const names = shortNames();
			return ({ shown }) => names(shown);
		},
	};
}

function placeOf(list: readonly Standing[], { subject, parentId }: WasStanding): number {
	const exact = list.findIndex((each) => each.parentId === parentId && isStandingOf(each.shown, subject));
	return exact !== -1 ? exact : list.findIndex(({ shown }) => isStandingOf(shown, subject));
}

/** Names of tickets; what all tickets of a tracker have in common is made once. */
export function shortNames(): (shown: ShownTicket) => string {
	const trackers = new Map<SeenTracker, string>();
	return ({ entry, from }) => {
		const known = trackers.get(from) ?? `${from.connection.key}/${refText(from.ref)}`.toLowerCase();
		trackers.set(from, known);
		return `${known}#${entry.ticket.id}`;
	};
}
