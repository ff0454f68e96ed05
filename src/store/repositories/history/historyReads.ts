import { ForgeError } from '../../../forge/port/forgeError.ts';
import type { Commit, RepositoryRef, Tree, TreeEntry } from '../../../forge/port/repository.ts';
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
export interface SearchBudget {
	/** Rejects with an abort when the budget is empty; `isSpent` distinguishes it from other aborts. */
	spend(signal: AbortSignal): void;
	left(): number;
	/** True after the budget refused a request. */
	isSpent(): boolean;
}

export function searchBudget(most: number): SearchBudget {
	let left = most;
	let isSpent = false;
	return {
		spend(signal) {
			signal.throwIfAborted();
			if (left === 0) {
				isSpent = true;
				throw noneLeft();
			}
			left -= 1;
		},
		left: () => left,
		isSpent: () => isSpent,
	};
}

/**
 * One search with several callers, each with a budget. A request charges every budget once; the largest budget decides
 * how far the search goes. A caller that leaves `budgets` pays nothing more and extends nothing.
 */
export function joinedBudget(budgets: () => ReadonlySet<SearchBudget>): SearchBudget {
	let isSpent = false;
	return {
		spend(signal) {
			signal.throwIfAborted();
			const paying = Array.from(budgets()).filter((each) => each.left() > 0);
			if (paying.length === 0) {
				isSpent = true;
				throw noneLeft();
			}
			paying.forEach((each) => each.spend(signal));
		},
		left: () => Math.max(0, ...Array.from(budgets(), (each) => each.left())),
		isSpent: () => isSpent,
	};
}

/** A view of the same budget that keeps `reserve` requests for others. */
export function withoutReserve(budget: SearchBudget, reserve: number): SearchBudget {
	const left = (): number => Math.max(0, budget.left() - reserve);
	let isSpent = false;
	return {
		spend(signal) {
			if (left() === 0 && !signal.aborted) {
				isSpent = true;
				throw noneLeft();
			}
			budget.spend(signal);
		},
		left,
		isSpent: () => isSpent,
	};
}

function noneLeft(): DOMException {
	return new DOMException('No request is left', 'AbortError');
}

/** Reads commits and trees within a budget. Cached objects stay readable after the budget is spent. */
export interface LimitedReads extends Pick<SearchBudget, 'left' | 'isSpent'> {
	/** Rejects like `SearchBudget.spend` when the budget is empty. */
	commit(id: string, signal: AbortSignal): Promise<Commit>;
	/** Rejects like `commit`. */
	tree(id: string, signal: AbortSignal): Promise<Tree>;
	keptTree(id: string): Promise<Tree | undefined>;
	/** Rejects like `commit`; absent when the server offers only trees. */
	readonly entries: EntriesAt | undefined;
}

export function limitedReads(source: HistorySource, budget: SearchBudget): LimitedReads {
	return {
		async commit(id, signal) {
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
		async tree(id, signal) {
			const kept = await source.keptTree(id);
			if (kept) {
				return kept;
			}
			budget.spend(signal);
			return await source.tree(id, signal);
		},
		keptTree: (id) => source.keptTree(id),
		entries:
			source.entries &&
			(async (commit, paths, signal) => {
				for (let asked = 0; asked < paths.length; asked += pathsOfRequest) {
					budget.spend(signal);
				}
				return (await source.entries?.(commit, paths, signal)) ?? new Map();
			}),
		left: () => budget.left(),
		isSpent: () => budget.isSpent(),
	};
}
