import type { ListNaming } from '../../../editor/trees/neighbours.ts';
import { refOfTicket } from 'sourcehut/port/ticket.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { groupRowId } from './ticketRows.ts';
import type { Shelf, ShelfGroup, ShownTicket } from './ticketShelf.ts';

/** A ticket at its position in the view. */
export interface RowPosition {
	/** Id of the parent row: the shelf or one of its groups. */
	readonly parentId: string;
	/** True inside the collapsed group of resolved tickets. */
	readonly isFolded: boolean;
	readonly shown: ShownTicket;
}

/** Rows of a shelf from top to bottom. */
export type RowPositions = ReturnType<typeof rowPositions>;

/** Rows of a shelf, or of the groups that `isMeant` selects. Creates each entry lazily. */
export function rowPositions(shelfId: string, { groups }: Shelf, isMeant: (group: ShelfGroup) => boolean = () => true) {
	let length = 0;
	const parts = groups.filter(isMeant).map((group) => {
		const start = length;
		length += group.tickets.length;
		return { group, start, parentId: group.key ? groupRowId(shelfId, group.key) : shelfId };
	});
	function at(place: number): RowPosition | undefined {
		const part = parts.findLast(({ start }) => start <= place);
		const shown = part?.group.tickets[place - part.start];
		return part && shown && { parentId: part.parentId, isFolded: part.group.isFolded, shown };
	}
	return {
		length,
		at,
		/** All positions of a ticket; grouping by label creates several. */
		placesOf: (subject: TicketSubject): readonly number[] =>
			parts.flatMap(({ group, start }) => placesIn(group, subject).map((place) => start + place)),
		/** The first matching row. */
		find(isIt: (position: RowPosition) => boolean): RowPosition | undefined {
			for (let place = 0; place < length; place += 1) {
				const position = at(place);
				if (position && isIt(position)) {
					return position;
				}
			}
			return undefined;
		},
	};
}

export function placesIn({ tickets, places }: ShelfGroup, subject: TicketSubject): readonly number[] {
	return [places.get(subject.ref.id) ?? []].flat().filter((place) => {
		const shown = tickets[place];
		return (
			shown !== undefined &&
			shown.entry.ticket.id === subject.ref.id &&
			shown.from.connection.key === subject.connectionKey &&
			refText(shown.from.ref).toLowerCase() === refText(subject.ref.tracker).toLowerCase()
		);
	});
}

/** Subject of commands on this ticket. */
export function subjectOf({ entry, from }: ShownTicket): TicketSubject {
	return { kind: 'ticket', connectionKey: from.connection.key, ref: refOfTicket(entry.ticket) };
}

/** Unique key of a ticket per account. */
export function nameOf({ connectionKey, ref }: TicketSubject): string {
	return `${connectionKey}/${refText(ref.tracker)}#${ref.id}`.toLowerCase();
}

/** Adapter that finds tickets in ordered lists. `parentId`: the last known parent row of the ticket. */
export function inList(subject: TicketSubject, parentId: string): ListNaming<RowPosition, RowPositions> {
	return {
		placeIn(list) {
			const places = list.placesOf(subject);
			return places.find((place) => list.at(place)?.parentId === parentId) ?? places[0] ?? -1;
		},
		finderIn: (list) => (each) => {
			const place = list.placesOf(subjectOf(each.shown)).at(-1);
			return place === undefined ? undefined : list.at(place);
		},
	};
}
