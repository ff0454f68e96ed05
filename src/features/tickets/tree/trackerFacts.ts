import { refOfTicket, ticketRefText, type TicketStatus } from 'sourcehut/port/ticket.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import { runResting, type Resting, type Steps } from '@forge-desk/base/timeSlice.ts';
import type { IndexState } from '../../../store/tickets/index/ticketIndexer.ts';
import { trackerRowId, type AccountTracker } from './ticketShelf.ts';
import { isSameValue } from '../../../base/isSameValue.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';

/** Summary of a tracker's tickets. */
export interface TrackerFacts {
	readonly state: IndexState;
	readonly open: number;
	readonly byStatus: ReadonlyMap<TicketStatus, number>;
	readonly byLabel: ReadonlyMap<string, number>;
	/** The unread ones, by `~owner/name#12`. */
	readonly marks: ReadonlyMap<string, Mark>;
}

const nothing: TrackerFacts = {
	state: { kind: 'unread' },
	open: 0,
	byStatus: new Map(),
	byLabel: new Map(),
	marks: new Map(),
};

/** Facts, counted once per change and not once per row. */
export type FactsKeeper = ReturnType<typeof factsKeeper>;

/** Counts what the accounts' indexes hold. */
export function factsKeeper(resting: Resting) {
	const results = memoized(countingSteps, resting);
	return {
		/** Counts them, unless they are true still, with rests between, so that nothing else waits. */
		counted: (from: AccountTracker, signal: AbortSignal) => results.current(keyOf(from), from, signal),
		/** Last counts, stale or not; those of an empty tracker if there are none. */
		last: (from: AccountTracker) => results.last(keyOf(from)) ?? nothing,
		/** Those of one tracker are no longer true, or none are. */
		stale(from?: AccountTracker) {
			const stale = from && keyOf(from);
			results.stale((key) => stale === undefined || key === stale);
		},
		/** Forgets what has no row any more. */
		clear: () => results.clear(),
	};
}

/** Tickets per step between two pauses. */
const stride = 64;

/** Servers ignore the case of names; row ids don't. */
function keyOf(from: AccountTracker): string {
	return trackerRowId(from).toLowerCase();
}

function* countingSteps({ connection, ref }: AccountTracker): Steps<TrackerFacts> {
	const { index, readMarks } = connection;
	const byStatus = new Map<TicketStatus, number>();
	const byLabel = new Map<string, number>();
	const marks = new Map<string, Mark>();
	let open = 0;
	let looked = 0;
	const entries = index.tickets(ref);
	yield;
	const state = index.state(ref);
	yield;
	if (state.kind !== 'unread') {
		readMarks.see(ref, () => entries.map(({ ticket }) => ticket));
	}
	for (const { ticket } of entries) {
		open += ticket.status === 'resolved' ? 0 : 1;
		byStatus.set(ticket.status, (byStatus.get(ticket.status) ?? 0) + 1);
		for (const label of ticket.labels) {
			byLabel.set(label, (byLabel.get(label) ?? 0) + 1);
		}
		const mark = readMarks.mark(ticket);
		if (mark) {
			marks.set(ticketRefText(refOfTicket(ticket)), mark);
		}
		looked += 1;
		if (looked % stride === 0) {
			yield;
		}
	}
	return { state, open, byStatus, byLabel, marks };
}

/** Results computed from tickets, by key; recomputed after changes only. `steps` works out one result. */
export function memoized<From, T>(steps: (from: From) => Steps<T>, resting: Resting) {
	const results = new Map<string, { readonly result: T; readonly generation: number; isFresh: boolean }>();
	/** Number of invalidations, to detect one during a computation. */
	let changes = 0;
	/** Two computations may overlap; the one that started later wins. */
	let generations = 0;
	return {
		/**
		 * Returns the cached result unless it is stale; otherwise computes it with pauses, to keep the extension host
		 * responsive.
		 */
		async current(key: string, from: From, signal: AbortSignal): Promise<T> {
			const known = results.get(key);
			if (known?.isFresh === true) {
				return known.result;
			}
			const before = changes;
			generations += 1;
			const generation = generations;
			const result = await runResting(steps(from), resting, signal);
			const newer = results.get(key);
			if (newer && newer.generation > generation) {
				return newer.result;
			}
			results.set(key, { result, generation, isFresh: changes === before });
			return result;
		},
		/** As last worked out, whether it is true still or not. */
		last: (key: string) => results.get(key)?.result,
		/** Whether nothing has changed since it was last worked out. */
		isCurrent: (key: string) => results.get(key)?.isFresh === true,
		/** Marks results of matching keys as stale. */
		stale(isStale: (key: string) => boolean) {
			changes += 1;
			for (const [key, entry] of results) {
				entry.isFresh &&= !isStale(key);
			}
		},
		/** Forgets what has no row any more. */
		clear() {
			changes += 1;
			results.clear();
		},
	};
}

interface RenderedList {
	readonly build: (signal: AbortSignal) => Promise<readonly TreeNode[]>;
	readonly looks: readonly unknown[];
	readonly generation: number;
}

export type RenderedRows = ReturnType<typeof renderedRows>;

/**
 * Lists of rows that the editor has, by the id of the tracker or queue and of the row above the list. A list that looks
 * the same needs no redraw, and a redraw can swallow a click.
 */
export function renderedRows(resting: Resting) {
	const rendered = new Map<string, Map<string, RenderedList>>();
	/** Two readings may overlap; the editor shows the one that started later. */
	let generations = 0;

	return {
		/** Builds a list for the editor. `build` sends no request, because it runs again after changes. */
		async give(
			topId: string,
			aboveId: string,
			build: RenderedList['build'],
			signal: AbortSignal,
		): Promise<readonly TreeNode[]> {
			generations += 1;
			const generation = generations;
			const rows = await build(signal);
			const lists = rendered.get(topId) ?? new Map<string, RenderedList>();
			if (!signal.aborted && generation > (lists.get(aboveId)?.generation ?? 0)) {
				rendered.set(topId, lists.set(aboveId, { build, looks: rows.map(lookOf), generation }));
			}
			return rows;
		},
		/** True if a list of the tracker or queue looks different than before. The caller redraws it. */
		async differ(topId: string, signal: AbortSignal): Promise<boolean> {
			let isDifferent = false;
			const lists = rendered.get(topId) ?? new Map<string, RenderedList>();
			const built: (readonly [string, RenderedList, readonly unknown[]])[] = [];
			for (const [aboveId, list] of lists) {
				const looks = (await list.build(signal)).map(lookOf);
				isDifferent ||= await runResting(differenceSteps(looks, list.looks), resting, signal);
				built.push([aboveId, list, looks]);
			}
			// Only now: if a later list fails, the next call must find the differences of the earlier ones again.
			for (const [aboveId, list, looks] of built) {
				if (lists.get(aboveId) === list) {
					lists.set(aboveId, { ...list, looks });
				}
			}
			return isDifferent;
		},
		clear: () => rendered.clear(),
	};
}

function* differenceSteps(ones: readonly unknown[], others: readonly unknown[]): Steps<boolean> {
	for (const [at, one] of ones.entries()) {
		if (!isSameValue(one, others[at])) {
			return true;
		}
		yield;
	}
	return ones.length !== others.length;
}

/** As JSON, because the commands of an item may hold functions. */
function lookOf(row: TreeNode): unknown {
	return [row.id, row.look ?? JSON.stringify(row.item)];
}
