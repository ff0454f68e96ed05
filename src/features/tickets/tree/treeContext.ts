import type { Emitter } from '@forge-desk/base/event.ts';
import type { Resting } from '@forge-desk/base/timeSlice.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { parseTicketFilter } from '../../../engine/search/ticketFilter.ts';
import { usualOrder } from '../../../engine/search/selectTickets.ts';
import { ageStep, shortAge, spokenAge } from '../../../engine/text/age.ts';
import type { Connections } from '../../../store/connection.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import type { TicketFilters } from '../choices/ticketFilters.ts';
import type { RenderedRows, FactsKeeper, memoized } from './trackerFacts.ts';
import type { FrozenLists } from './frozenLists.ts';
import {
	queuesOf,
	type Queue,
	trackerRowId,
	type FilteredList,
	type AccountTracker,
	type Shelf,
	type ShelfQuery,
} from './ticketShelf.ts';
import type { TrackerReads } from './trackerReads.ts';

/** Formatted ages. Hundreds of rows share a few. */
export type RowAges = ReturnType<typeof rowAges>;

/** Ages as they read now, each different one made once. */
export function rowAges(nowMs: () => number, locale: string) {
	const shorts = new Map<number, string>();
	const spokens = new Map<number, string>();
	const once = (known: Map<number, string>, atMs: number, make: (passedMs: number) => string): string => {
		const passedMs = ageStep(atMs, nowMs());
		const text = known.get(passedMs) ?? make(passedMs);
		known.set(passedMs, text);
		return text;
	};
	return {
		short: (atMs: number) => once(shorts, atMs, (passedMs) => shortAge(0, passedMs, locale)),
		spoken: (atMs: number) => once(spokens, atMs, (passedMs) => spokenAge(0, passedMs, locale)),
	};
}

/** Shared state of the view's rows. */
export interface TreeContext {
	readonly tickets: TicketsContext;
	readonly facts: FactsKeeper;
	/** By the id of the parent row. */
	readonly shelves: ReturnType<typeof memoized<ShelfQuery, Shelf>>;
	/** Frozen lists: unfolded queues and filtered trackers, and tickets selected together. */
	readonly frozen: FrozenLists;
	readonly reads: TrackerReads;
	/** Time-slice policy for work over thousands of tickets. */
	readonly resting: Resting;
	readonly ages: RowAges;
	/** Trackers with visible tickets by the id of the unfolded row: their own or a queue's. */
	readonly unfolded: Map<string, readonly AccountTracker[]>;
	/** Visible window of rows by parent row id. */
	readonly windows: Map<string, RowWindow>;
	readonly rendered: RenderedRows;
	/** Rows to redraw. */
	readonly changed: Emitter<TreeNode | undefined>;
}

/** Rows shown below one parent; more make the editor slow. */
export const rowsAtOnce = 500;
/** Limit of rows below one parent after "Show More". Beyond it, rows at the other end go. */
export const mostRows = 10 * rowsAtOnce;

/** Range of visible rows; `to` is exclusive. */
export interface RowWindow {
	readonly from: number;
	readonly to: number;
}

export const firstWindow: RowWindow = { from: 0, to: rowsAtOnce };

/** Query of a tracker's rows: its filter, order and grouping. */
export function trackerQuery({ tickets, frozen }: TreeContext, from: AccountTracker): ShelfQuery {
	const { grouping, order } = tickets.treeChoices.of(from.connection.key, from.ref);
	const list = filteredTracker(tickets.filters, from);
	const reading = list && parseTicketFilter(list.text);
	return {
		trackers: [from],
		filter: reading?.kind === 'filter' ? reading.filter : undefined,
		order,
		grouping,
		// A filter controls the status itself.
		foldsResolved: reading?.kind !== 'filter' && tickets.shown.now() === 'open',
		groupBefore: frozen.versions(trackerRowId(from)),
		frozen: list && frozen.order(list),
	};
}

/** The tracker as a list, if it has a filter. */
export function filteredTracker(filters: TicketFilters, from: AccountTracker): FilteredList | undefined {
	const text = filters.onTracker(from.connection.key, from.ref);
	return text === undefined ? undefined : { id: trackerRowId(from), text };
}

/** Query of a queue's rows; `undefined` if there is no such queue, or its filter is invalid. */
export function queueQuery({ tickets, frozen }: TreeContext, queue: Queue | undefined): ShelfQuery | undefined {
	return queue?.reading.kind === 'filter'
		? {
				trackers: allTrackers(tickets.connections),
				filter: queue.reading.filter,
				order: usualOrder,
				grouping: 'none',
				foldsResolved: false,
				frozen: frozen.order(queue),
			}
		: undefined;
}

export function queueOf({ filters }: TicketsContext, id: string): Queue | undefined {
	return queuesOf(filters).find((queue) => queue.id === id);
}

/** Every known tracker once, even if two accounts of a forge follow it. Sends no request. */
export function allTrackers(connections: Connections): readonly AccountTracker[] {
	const seen = new Map<string, AccountTracker>();
	for (const connection of connections.all()) {
		for (const ref of connection.index.trackers()) {
			const name = `${connection.instance.id}/${ref.owner}/${ref.name}`.toLowerCase();
			seen.set(name, seen.get(name) ?? { connection, ref });
		}
	}
	return [...seen.values()];
}
