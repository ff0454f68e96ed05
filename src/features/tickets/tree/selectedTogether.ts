import type { Disposable } from '../../../base/lifecycle.ts';
import type { TreeNode } from '../../../editor/treeNode.ts';
import type { Ticket } from '../../../forge/ticket.ts';
import { ticketSubject } from '../subjects.ts';
import type { TicketsParts } from '../ticketsParts.ts';
import { isQueueId } from './shelfRows.ts';
import type { Shelf } from './ticketShelf.ts';
import { trackerRowId } from './trackerRow.ts';

/**
 * Tickets of trackers that somebody selected together, as they stood then. Their rows stay in their groups until the
 * tracker's list may change: the editor lets go of a selected row that goes elsewhere, and can be told to select one row
 * only. So what changes several tickets would leave nothing selected for the next step.
 */
export interface SelectedTogether extends Disposable {
	/** How tickets of a tracker stood, by their numbers, where they are to be grouped as they did. */
	of(trackerId: string): Standings | undefined;
	/** Tickets of the trackers that are meant may stand elsewhere. Answers the ids of those in which some stayed. */
	letGo(isMeant: (trackerId: string) => boolean): readonly string[];
}

type Standings = ReadonlyMap<number, Ticket>;

/** `shelf`: the tickets below a tracker's row, as last drawn. */
export function selectedTogether(
	{ connections, view }: Pick<TicketsParts, 'connections' | 'view'>,
	shelf: (trackerId: string) => Shelf | undefined,
): SelectedTogether {
	const stood = new Map<string, Standings>();

	/** Numbers of the selected tickets, by the ids of their trackers' rows. */
	function numbersOf(rows: readonly TreeNode[]): ReadonlyMap<string, ReadonlySet<number>> {
		const numbers = new Map<string, Set<number>>();
		for (const row of rows) {
			const subject = ticketSubject(row);
			const connection = subject && connections.byKey(subject.connectionKey);
			if (connection && row.parent && !isQueueId(row.parent.id)) {
				const id = trackerRowId(connection, subject.ref.tracker);
				numbers.set(id, (numbers.get(id) ?? new Set()).add(subject.ref.id));
			}
		}
		return numbers;
	}

	/** What has changed since it was selected stays where it stands, also when something else is selected. */
	function stayingIn(trackerId: string, numbers: ReadonlySet<number> | undefined, areSeveral: boolean): Standings {
		const before = stood.get(trackerId);
		const staying = new Map<number, Ticket>();
		for (const { entry } of (shelf(trackerId)?.groups ?? []).flatMap(({ tickets }) => tickets)) {
			const { ticket } = entry;
			const known = before?.get(ticket.id);
			const isAmongThem = areSeveral && numbers?.has(ticket.id) === true;
			if (isAmongThem || (known && !standAlike(known, ticket))) {
				staying.set(ticket.id, known ?? ticket);
			}
		}
		return staying;
	}

	const watching = view.onDidChangeSelection(({ selection }) => {
		const numbers = numbersOf(selection);
		const counts = Array.from(numbers.values(), ({ size }) => size);
		const areSeveral = counts.reduce((sum, count) => sum + count, 0) > 1;
		for (const id of new Set([...stood.keys(), ...numbers.keys()])) {
			stood.set(id, stayingIn(id, numbers.get(id), areSeveral));
		}
	});

	return {
		of: (trackerId) => stood.get(trackerId),
		letGo(isMeant) {
			const gone = [...stood].filter(([id]) => isMeant(id));
			gone.forEach(([id]) => stood.delete(id));
			return gone.flatMap(([id, { size }]) => (size > 0 ? [id] : []));
		},
		dispose: () => void watching.dispose(),
	};
}

/** Whether two looks at a ticket stand in the same groups, whatever those are of. */
export function standAlike(one: Ticket, other: Ticket): boolean {
	return (
		one.status === other.status &&
		one.labels.join('\n') === other.labels.join('\n') &&
		one.assignees.map(({ canonicalName }) => canonicalName).join(' ') ===
			other.assignees.map(({ canonicalName }) => canonicalName).join(' ')
	);
}
