import type { Emitter } from '../../../base/event.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import type { Resting } from '../../../base/timeSlice.ts';
import { usualOrder } from '../../../search/ticketOrder.ts';
import type { Connection } from '../../../state/connection.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import type { HeldLists } from './heldLists.ts';
import { queuesOf, readingOf, type Queue } from './queues.ts';
import type { RowAges } from './rowAges.ts';
import type { KeptResults } from './keptResults.ts';
import type { FilteredList, SeenTracker, Shelf, ShelfWish } from './shelf.ts';
import type { FactsKeeper } from './trackerFacts.ts';
import type { TrackerReads } from './trackerReads.ts';
import { trackerRowId } from './trackerRow.ts';

/** What the rows of the view are drawn from. */
export interface TreeContext {
	readonly parts: TicketsParts;
	readonly facts: FactsKeeper;
	/** By the id of the row that they hang under. */
	readonly shelves: KeptResults<ShelfWish, Shelf>;
	/** Queues, and trackers that are held to a filter, while they are unfolded; and tickets that were selected together. */
	readonly held: HeldLists;
	readonly reads: TrackerReads;
	/** How long work over thousands of tickets goes on at once. */
	readonly resting: Resting;
	readonly ages: RowAges;
	/** Trackers whose rows are unfolded, or are on a queue that is, by the ids of the rows that are. */
	readonly unfolded: Map<string, readonly SeenTracker[]>;
	/** Which rows are shown below a row, by its id. */
	readonly windows: Map<string, RowWindow>;
	/** Rows to draw anew. */
	readonly changed: Emitter<TreeNode | undefined>;
}

/** Rows shown at once below a row; more make the editor slow, and nobody reads them. */
export const rowsAtOnce = 500;
/** The most rows below a row after "Show More". Above it, the rows at the other end go. */
export const mostRows = 10 * rowsAtOnce;

/** Places of shown rows, from the first to before the last. */
export interface RowWindow {
	readonly from: number;
	readonly to: number;
}

export const firstWindow: RowWindow = { from: 0, to: rowsAtOnce };

/** What a tracker's rows are: its filter, and the order and grouping that were chosen for it. */
export function trackerWish(
	{ parts: { filters, treeChoices, shown }, held }: Pick<TreeContext, 'parts' | 'held'>,
	connection: Connection,
	ref: TrackerRef,
): ShelfWish {
	const { grouping, order } = treeChoices.of(connection.key, ref);
	const list = filteredTracker(filters, { connection, ref });
	const reading = list && readingOf(list.text);
	return {
		trackers: [{ connection, ref }],
		filter: reading?.kind === 'filter' ? reading.filter : undefined,
		order,
		grouping,
		// A filter says itself which tickets it wants.
		foldsResolved: reading?.kind !== 'filter' && shown.now() === 'open',
		stood: held.standings(trackerRowId(connection, ref)),
		held: list && held.order(list),
	};
}

/** A tracker that is held to a filter. */
export function filteredTracker(
	filters: TicketsParts['filters'],
	{ connection, ref }: SeenTracker,
): FilteredList | undefined {
	const text = filters.onTracker(connection.key, ref);
	return text === undefined ? undefined : { id: trackerRowId(connection, ref), text };
}

/** Every list that is held to a filter now. */
export function filteredLists(parts: TicketsParts): readonly FilteredList[] {
	const { filters } = parts;
	return [...queuesOf(filters), ...allTrackers(parts).flatMap((tracker) => filteredTracker(filters, tracker) ?? [])];
}

/** What a queue's rows are; `undefined` when its filter cannot be read. */
export function queueWish({ parts, held }: Pick<TreeContext, 'parts' | 'held'>, queue: Queue): ShelfWish | undefined {
	const { reading } = queue;
	return reading.kind === 'filter'
		? {
				trackers: allTrackers(parts),
				filter: reading.filter,
				order: usualOrder,
				grouping: 'none',
				foldsResolved: false,
				held: held.order(queue),
			}
		: undefined;
}

/** The queue whose row has this id, as the settings say now. */
export function queueOf({ filters }: TicketsParts, id: string): Queue | undefined {
	return queuesOf(filters).find((queue) => queue.id === id);
}

/** Every tracker that is known, once: two accounts of a forge may follow the same one. Needs no request. */
export function allTrackers({ connections }: Pick<TicketsParts, 'connections'>): readonly SeenTracker[] {
	const seen = new Map<string, SeenTracker>();
	for (const connection of connections.all()) {
		for (const ref of connection.index.trackers()) {
			const name = `${connection.instance.id}/${ref.owner}/${ref.name}`.toLowerCase();
			seen.set(name, seen.get(name) ?? { connection, ref });
		}
	}
	return [...seen.values()];
}
