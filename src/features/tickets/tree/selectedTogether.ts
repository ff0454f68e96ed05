import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { Ticket } from '../../../forge/port/ticket.ts';
import { ticketSubject } from '../subjects/subjects.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import { isQueueId } from './queues.ts';
import type { SeenTracker, Shelf, ShownTicket } from './shelf.ts';
import { trackerRowId } from './trackerRow.ts';

type Standings = ReadonlyMap<number, Ticket>;

interface Standing extends SeenTracker {
	readonly tickets: Standings;
	/** The tracker's list at the time of the selection. */
	readonly list: string;
}

interface Selected extends SeenTracker {
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
	{ connections, view, filters, shown }: TicketsParts,
	shelf: (trackerId: string) => Shelf | undefined,
) {
	const stood = new Map<string, Standing>();

	/** A filter describes its own selection. */
	function listOf({ connection, ref }: SeenTracker): string {
		const filter = filters.onTracker(connection.key, ref);
		return filter === undefined ? shown.now() : `filter ${filter}`;
	}

	/** By the ids of the trackers' rows. */
	function selectedIn(rows: readonly TreeNode[]): ReadonlyMap<string, Selected> {
		const selected = new Map<string, Selected>();
		for (const row of rows) {
			const subject = ticketSubject(row);
			const connection = subject && connections.byKey(subject.connectionKey);
			if (connection && row.parent && !isQueueId(row.parent.id)) {
				const { tracker: ref, id: number } = subject.ref;
				const id = trackerRowId(connection, ref);
				const known = selected.get(id) ?? { connection, ref, numbers: new Set() };
				known.numbers.add(number);
				selected.set(id, known);
			}
		}
		return selected;
	}

	/**
	 * Keeps tickets that changed after their selection in place, even after the selection moves on. Stops scanning the
	 * list when all wanted tickets are found.
	 */
	function stayingIn(trackerId: string, together: ReadonlySet<number>): Standings {
		const before = stood.get(trackerId)?.tickets;
		const wanted = new Set([...together, ...(before?.keys() ?? [])]);
		const staying = new Map<number, Ticket>();
		for (const { ticket } of ticketsOf(shelf(trackerId))) {
			if (wanted.delete(ticket.id)) {
				const known = before?.get(ticket.id);
				if (together.has(ticket.id) || (known && !standAlike(known, ticket))) {
					staying.set(ticket.id, known ?? ticket);
				}
			}
			if (wanted.size === 0) {
				break;
			}
		}
		return staying;
	}

	function select(selected: ReadonlyMap<string, Selected>): void {
		for (const [id, entry] of stood) {
			stood.set(id, { ...entry, tickets: stayingIn(id, selected.get(id)?.numbers ?? new Set()) });
		}
		for (const [id, { connection, ref, numbers }] of selected) {
			if (!stood.has(id)) {
				stood.set(id, { connection, ref, list: listOf({ connection, ref }), tickets: stayingIn(id, numbers) });
			}
		}
		for (const [id, { tickets }] of stood) {
			if (tickets.size === 0) {
				stood.delete(id);
			}
		}
	}

	const watching = view.onDidChangeSelection(({ selection }) => {
		const selected = selectedIn(selection);
		const count = Array.from(selected.values()).reduce((sum, { numbers }) => sum + numbers.size, 0);
		select(count > 1 ? selected : new Map());
	});

	function letGo(isMeant: (trackerId: string) => boolean): readonly string[] {
		const gone = [...stood.keys()].filter(isMeant);
		gone.forEach((id) => stood.delete(id));
		return gone;
	}

	return {
		/** Earlier states of a tracker's tickets by number, for grouping. */
		of: (trackerId: string) => stood.get(trackerId)?.tickets,
		/** Releases the held tickets of matching trackers. Returns the ids of trackers that had any. */
		letGo,
		/** Releases trackers whose filter or initial selection changed. */
		keepSameLists() {
			const others = [...stood].filter(([, entry]) => listOf(entry) !== entry.list);
			others.forEach(([id]) => stood.delete(id));
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

/** True if two versions of a ticket belong to the same groups in every grouping. */
function standAlike(one: Ticket, other: Ticket): boolean {
	return (
		one.status === other.status &&
		one.labels.join('\n') === other.labels.join('\n') &&
		one.assignees.map(({ canonicalName }) => canonicalName).join(' ') ===
			other.assignees.map(({ canonicalName }) => canonicalName).join(' ')
	);
}
