import type { Ticket } from 'sourcehut/port/ticket.ts';
import { ticketSubject } from '../subjects/subjects.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import {
	isQueueId,
	trackerRowId,
	type FilteredList,
	type FrozenOrder,
	type AccountTracker,
	type Shelf,
	type ShownTicket,
} from './ticketShelf.ts';

type TicketVersions = ReadonlyMap<number, Ticket>;

interface Selected extends AccountTracker {
	readonly numbers: Set<number>;
}

/**
 * Tickets that the user selected together, in their state at that time. Their rows stay in their groups until the
 * tracker's list may change. The editor deselects a row that moves, and can select only one row by API, so a bulk
 * change would otherwise lose the selection.
 */
export type SelectedTogether = ReturnType<typeof selectedTogether>;

/** `shelf`: the tickets below a tracker's row, as last drawn. */
export function selectedTogether(
	{ connections, view, filters, shown }: TicketsContext,
	shelf: (trackerId: string) => Shelf | undefined,
) {
	/** `list`: the tracker's list at the time of the selection. */
	const groupBefore = new Map<string, AccountTracker & { readonly tickets: TicketVersions; readonly list: string }>();

	/** A filter describes its own selection. */
	function listOf({ connection, ref }: AccountTracker): string {
		const filter = filters.onTracker(connection.key, ref);
		return filter === undefined ? shown.now() : `filter ${filter}`;
	}

	/**
	 * Keeps tickets that changed after their selection in place, even after the selection moves on. Stops scanning the
	 * list when all wanted tickets are found.
	 */
	function stayingIn(trackerId: string, together: ReadonlySet<number>): TicketVersions {
		const before = groupBefore.get(trackerId)?.tickets;
		const wanted = new Set([...together, ...(before?.keys() ?? [])]);
		const staying = new Map<number, Ticket>();
		for (const { ticket } of ticketsOf(shelf(trackerId))) {
			if (wanted.delete(ticket.id)) {
				const known = before?.get(ticket.id);
				if (together.has(ticket.id) || (known && groupsOf(known) !== groupsOf(ticket))) {
					staying.set(ticket.id, known ?? ticket);
				}
			}
			if (wanted.size === 0) {
				break;
			}
		}
		return staying;
	}

	const watching = view.onDidChangeSelection(({ selection }) => {
		/** By the ids of the trackers' rows. */
		const selected = new Map<string, Selected>();
		let count = 0;
		for (const row of selection) {
			const subject = ticketSubject(row);
			const connection = subject && connections.byKey(subject.connectionKey);
			if (connection && row.parent && !isQueueId(row.parent.id)) {
				const from = { connection, ref: subject.ref.tracker };
				const id = trackerRowId(from);
				const before = selected.get(id) ?? { ...from, numbers: new Set() };
				count += before.numbers.has(subject.ref.id) ? 0 : 1;
				before.numbers.add(subject.ref.id);
				selected.set(id, before);
			}
		}
		if (count <= 1) {
			selected.clear();
		}
		for (const [id, entry] of groupBefore) {
			groupBefore.set(id, { ...entry, tickets: stayingIn(id, selected.get(id)?.numbers ?? new Set()) });
		}
		for (const [id, { connection, ref, numbers }] of selected) {
			if (!groupBefore.has(id)) {
				groupBefore.set(id, { connection, ref, list: listOf({ connection, ref }), tickets: stayingIn(id, numbers) });
			}
		}
		for (const [id, { tickets }] of groupBefore) {
			if (tickets.size === 0) {
				groupBefore.delete(id);
			}
		}
	});

	function release(isMeant: (trackerId: string) => boolean): readonly string[] {
		const gone = [...groupBefore.keys()].filter(isMeant);
		gone.forEach((id) => groupBefore.delete(id));
		return gone;
	}

	return {
		/** Earlier states of a tracker's tickets by number, for grouping. */
		of: (trackerId: string) => groupBefore.get(trackerId)?.tickets,
		/** Releases the held tickets of matching trackers. Returns the ids of trackers that had any. */
		release,
		/** Releases trackers whose filter or initial selection changed. */
		keepSameLists() {
			const others = [...groupBefore].filter(([, entry]) => listOf(entry) !== entry.list);
			others.forEach(([id]) => groupBefore.delete(id));
		},
		dispose: () => void watching.dispose(),
	};
}

function* ticketsOf(shelf: Shelf | undefined): Generator<ShownTicket['entry']> {
	for (const { tickets } of shelf?.groups ?? []) {
		for (const { entry } of tickets) {
			yield entry;
		}
	}
}

/** The same text for two versions of a ticket if they belong to the same groups in every grouping. */
function groupsOf({ status, labels, assignees }: Ticket): string {
	return JSON.stringify([status, labels, assignees.map(({ canonicalName }) => canonicalName)]);
}

/** Lists with a frozen order, because the user works in them. */
export type FrozenLists = ReturnType<typeof frozenLists>;

export function frozenLists(together: SelectedTogether) {
	const frozen = new Map<string, { readonly text: string; readonly order: FrozenOrder }>();
	const order = ({ id, text }: FilteredList): FrozenOrder | undefined => {
		const entry = frozen.get(id);
		return entry?.text === text ? entry.order : undefined;
	};
	return {
		/** Frozen order of a list. `undefined` if the list is collapsed, or was frozen under another filter. */
		order,
		/** Tickets by number as they were when the user selected them together. Grouping uses these versions. */
		versions: (trackerId: string) => together.of(trackerId),
		/** Freezes the list in the shelf's order. Returns false if the list is frozen already or empty. */
		freeze(list: FilteredList, { groups }: Shelf) {
			if (groups.every(({ tickets }) => tickets.length === 0) || order(list)) {
				return false;
			}
			frozen.set(list.id, { text: list.text, order: groups.flatMap(({ tickets }) => tickets) });
			return true;
		},
		/** Unfreezes the matching lists. Returns the ids of lists that were frozen, wholly or in part. */
		release(isMeant: (id: string) => boolean): readonly string[] {
			const gone = [...frozen.keys()].filter(isMeant);
			gone.forEach((id) => frozen.delete(id));
			return [...gone, ...together.release(isMeant)];
		},
		/** Unfreezes lists whose filter or tickets changed. `lists`: all filtered lists now. */
		keepOnly(lists: readonly FilteredList[]) {
			const texts = new Map(lists.map(({ id, text }) => [id, text]));
			for (const [id, { text }] of frozen) {
				if (texts.get(id) !== text) {
					frozen.delete(id);
				}
			}
			together.keepSameLists();
		},
	};
}
