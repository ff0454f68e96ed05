import { maxOf } from '@forge-desk/base/longArrays.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Commit, RepositoryRef, Tree, TreeEntry } from 'sourcehut/port/repository.ts';
import type { RepositoryStore } from '../repositoryStore.ts';

/** Inserts into a queue sorted by commit time, newest last. */
export function putByTime<T>(queue: T[], item: T, commitOf: (item: T) => Pick<Commit, 'timestampMs'>): void {
	const { timestampMs } = commitOf(item);
	let low = 0;
	let high = queue.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		const at = queue[middle];
		if (at !== undefined && commitOf(at).timestampMs <= timestampMs) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	queue.splice(low, 0, item);
}

/** Commits and trees of one repository. Cached objects cost no request. */
export interface HistorySource {
	readonly knownCommit: (id: string) => Commit | undefined;
	/** One request; also caches the older commits in the response. */
	readonly commit: (id: string, signal: AbortSignal) => Promise<Commit>;
	readonly keptTree: (id: string) => Promise<Tree | undefined>;
	/** One request; caches the tree. */
	readonly tree: (id: string, signal: AbortSignal) => Promise<Tree>;
	/** Entries at up to eight paths of a commit, in one request. Absent when the server offers only trees. */
	readonly entries?: EntriesAt | undefined;
}

/** Entries by path, without missing paths. `unread`: the server failed on this path. */
type EntriesAt = (
	commit: string,
	paths: readonly string[],
	signal: AbortSignal,
) => Promise<ReadonlyMap<string, TreeEntry | 'unread'>>;

/** Same limit as the port's. */
const pathsOfRequest = 8;

export function historySource(store: RepositoryStore, ref: RepositoryRef): HistorySource {
	const { entriesAt } = store.uncached;
	return {
		entries:
			entriesAt &&
			(async (commit, paths, signal) => {
				const places = paths.map((path) => ({ ref: commit, path }));
				const found = await entriesAt(ref, places, signal);
				return new Map(paths.flatMap((path, at) => (found[at] ? [[path, found[at]] as const] : [])));
			}),
		knownCommit: (id) => store.objects.knownCommit(ref, id),
		commit: (id, signal) => store.folders.commit(ref, id, signal),
		keptTree: (id) => store.objects.keptTree(ref, id),
		tree: (id, signal) => store.objects.tree(ref, id, signal),
	};
}

/** Remaining requests of one search, shared by its callers. Background work has its own hourly limit. */
export type SearchBudget = ReturnType<typeof budgetOf>;

/** `take` charges one request. */
function budgetOf(left: () => number, take: (signal: AbortSignal) => void) {
	let isSpent = false;
	return {
		/** Rejects with an abort when the budget is empty; `isSpent` distinguishes it from other aborts. */
		spend(signal: AbortSignal) {
			signal.throwIfAborted();
			if (left() === 0) {
				isSpent = true;
				throw new DOMException('No request is left', 'AbortError');
			}
			take(signal);
		},
		left,
		/** True after the budget refused a request. */
		isSpent: () => isSpent,
	};
}

export function searchBudget(most: number): SearchBudget {
	let left = most;
	return budgetOf(
		() => left,
		() => void (left -= 1),
	);
}

/**
 * One search with several callers, each with a budget. A request charges every budget once; the largest budget decides
 * how far the search goes. A caller that leaves `budgets` pays nothing more and extends nothing.
 */
export function joinedBudget(budgets: () => ReadonlySet<SearchBudget>): SearchBudget {
	return budgetOf(
		() => maxOf([0, ...Array.from(budgets(), (each) => each.left())]),
		(signal) => [...budgets()].filter((each) => each.left() > 0).forEach((each) => each.spend(signal)),
	);
}

/** A view of the same budget that keeps `reserve` requests for others. */
export function withoutReserve(budget: SearchBudget, reserve: number): SearchBudget {
	return budgetOf(
		() => Math.max(0, budget.left() - reserve),
		(signal) => budget.spend(signal),
	);
}

export type LimitedReads = ReturnType<typeof limitedReads>;

/** Reads commits and trees within a budget. Cached objects stay readable after the budget is spent. */
export function limitedReads(source: HistorySource, budget: SearchBudget) {
	const { entries } = source;
	return {
		/** Rejects like `SearchBudget.spend` when the budget is empty. So do `tree` and `entries`. */
		async commit(id: string, signal: AbortSignal): Promise<Commit> {
			const known = source.knownCommit(id);
			if (known) {
				return known;
			}
			budget.spend(signal);
			const commit = await source.commit(id, signal);
			// Some servers accept a branch name as an id. A different commit would produce a wrong history.
			if (commit.id !== id) {
				throw new ForgeError({
					kind: 'notUnderstood',
					where: 'id',
					why: 'it is another commit than the one asked for',
				});
			}
			return commit;
		},
		async tree(id: string, signal: AbortSignal): Promise<Tree> {
			const kept = await source.keptTree(id);
			if (kept) {
				return kept;
			}
			budget.spend(signal);
			return await source.tree(id, signal);
		},
		keptTree: (id: string) => source.keptTree(id),
		/** Absent when the server offers only trees. */
		entries:
			entries &&
			(async (commit: string, paths: readonly string[], signal: AbortSignal) => {
				for (let asked = 0; asked < paths.length; asked += pathsOfRequest) {
					budget.spend(signal);
				}
				return entries(commit, paths, signal);
			}),
		left: budget.left,
		isSpent: budget.isSpent,
	};
}
