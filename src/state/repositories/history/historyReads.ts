import { abortReason } from '../../../base/abort.ts';
import { onDispose, type Disposable } from '../../../base/lifecycle.ts';
import { ForgeError } from '../../../forge/forgeError.ts';
import type { Commit, RepositoryRef, Tree, TreeEntry } from '../../../forge/repository.ts';
import type { RepositoryStore } from '../repositoryStore.ts';

/** Where commits and trees of one repository come from. What is known costs nothing. */
export interface HistorySource {
	readonly knownCommit: (id: string) => Commit | undefined;
	/** One request; older commits that come along are known from then on. */
	readonly commit: (id: string, signal: AbortSignal) => Promise<Commit>;
	readonly keptTree: (id: string) => Promise<Tree | undefined>;
	/** One request; the tree is kept from then on. */
	readonly tree: (id: string, signal: AbortSignal) => Promise<Tree>;
	/** What stands at paths of a commit, up to eight of them in one request; absent where only trees tell. */
	readonly entries?: EntriesAt | undefined;
}

/** Entries by path, without missing ones. `unread`: the server failed on this path. */
type EntriesAt = (
	commit: string,
	paths: readonly string[],
	signal: AbortSignal,
) => Promise<ReadonlyMap<string, TreeEntry | 'unread'>>;

/** As the port has it. */
const pathsOfRequest = 8;

/** What a store knows and reads of one repository. */
export function historySource(
	store: Pick<RepositoryStore, 'knownCommit' | 'commit' | 'keptTree' | 'tree' | 'uncached'>,
	ref: RepositoryRef,
): HistorySource {
	const { entriesAt } = store.uncached;
	return {
		entries:
			entriesAt &&
			(async (commit, paths, signal) => {
				const places = paths.map((path) => ({ ref: commit, path }));
				const found = await entriesAt(ref, places, signal);
				return new Map(paths.flatMap((path, at) => (found[at] ? [[path, found[at]] as const] : [])));
			}),
		knownCommit: (id) => store.knownCommit(ref, id),
		commit: (id, signal) => store.commit(ref, id, signal),
		keptTree: (id) => store.keptTree(ref, id),
		tree: (id, signal) => store.tree(ref, id, signal),
	};
}

/** Requests that one search may still make, by all who share them. What the background may send is counted by the hour. */
export interface SearchBudget {
	/** Rejects with an abort when none is left; `isSpent` tells that from other aborts. */
	spend(signal: AbortSignal): void;
	left(): number;
	/** True once something was refused. */
	isSpent(): boolean;
}

export function searchBudget(most: number): SearchBudget {
	let left = most;
	let isSpent = false;
	return {
		spend(signal) {
			if (signal.aborted) {
				throw abortReason(signal);
			}
			if (left === 0) {
				isSpent = true;
				throw new DOMException('No request is left', 'AbortError');
			}
			left -= 1;
		},
		left: () => left,
		isSpent: () => isSpent,
	};
}

/**
 * One search for several, each of whom has a budget: a request counts for all who wait for it, once for each budget, and the
 * largest says how far it goes. Who leaves pays for nothing more, and lets nobody go further.
 */
export class JoinedBudget implements SearchBudget {
	/** Each with who waits: one budget may wait more than once, and leaves as often. */
	readonly #waiting = new Map<symbol, SearchBudget>();
	#isSpent = false;

	/** Takes part until the answer is disposed of. */
	join(budget: SearchBudget): Disposable {
		const wait = Symbol('wait');
		this.#waiting.set(wait, budget);
		return onDispose(() => this.#waiting.delete(wait));
	}

	isJoined(): boolean {
		return this.#waiting.size > 0;
	}

	spend(signal: AbortSignal): void {
		if (signal.aborted) {
			throw abortReason(signal);
		}
		const paying = this.payers().filter((each) => each.left() > 0);
		if (paying.length === 0) {
			this.#isSpent = true;
			throw new DOMException('No request is left', 'AbortError');
		}
		paying.forEach((each) => each.spend(signal));
	}

	left(): number {
		return Math.max(0, ...this.payers().map((each) => each.left()));
	}

	isSpent(): boolean {
		return this.#isSpent;
	}

	/** Whoever waits for this by way of other joined work pays once for all of it. */
	payers(): readonly SearchBudget[] {
		return [...new Set([...this.#waiting.values()].flatMap(payersOf))];
	}
}

/** The budgets that a search takes its requests from. */
export function payersOf(budget: SearchBudget): readonly SearchBudget[] {
	return budget instanceof JoinedBudget ? budget.payers() : [budget];
}

/** The same requests, of which some are kept back for others. */
export function withoutReserve(budget: SearchBudget, reserve: number): SearchBudget {
	const left = (): number => Math.max(0, budget.left() - reserve);
	let isSpent = false;
	return {
		spend(signal) {
			if (left() === 0 && !signal.aborted) {
				isSpent = true;
				throw new DOMException('No request is left', 'AbortError');
			}
			budget.spend(signal);
		},
		left,
		isSpent: () => isSpent,
	};
}

/** Commits and trees as long as there is a request left for them. What is known is answered even after that. */
export interface LimitedReads extends Pick<SearchBudget, 'left' | 'isSpent'> {
	/** Rejects as `SearchBudget.spend` does when it would take a request too many. */
	commit(id: string, signal: AbortSignal): Promise<Commit>;
	/** Rejects as `commit` does. */
	tree(id: string, signal: AbortSignal): Promise<Tree>;
	keptTree(id: string): Promise<Tree | undefined>;
	/** Rejects as `commit` does; absent where only trees tell. */
	readonly entries: EntriesAt | undefined;
}

/** Lets no more requests through than the budget has. */
export function limitedReads(source: HistorySource, budget: SearchBudget): LimitedReads {
	return {
		async commit(id, signal) {
			const known = source.knownCommit(id);
			if (known) {
				return known;
			}
			budget.spend(signal);
			const commit = await source.commit(id, signal);
			// Servers may take a name for an id. Another commit than the one asked for would tell another history.
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
