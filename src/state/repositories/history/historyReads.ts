import { abortReason } from '../../../base/abort.ts';
import { ForgeError } from '../../../forge/forgeError.ts';
import type { Commit, RepositoryRef, Tree } from '../../../forge/repository.ts';
import type { RepositoryStore } from '../repositoryStore.ts';

/** Where commits and trees of one repository come from. What is known costs nothing. */
export interface HistorySource {
	readonly knownCommit: (id: string) => Commit | undefined;
	/** One request; older commits that come along are known from then on. */
	readonly commit: (id: string, signal: AbortSignal) => Promise<Commit>;
	readonly keptTree: (id: string) => Promise<Tree | undefined>;
	/** One request; the tree is kept from then on. */
	readonly tree: (id: string, signal: AbortSignal) => Promise<Tree>;
}

/** What a store knows and reads of one repository. */
export function historySource(
	store: Pick<RepositoryStore, 'knownCommit' | 'commit' | 'keptTree' | 'tree'>,
	ref: RepositoryRef,
): HistorySource {
	return {
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
		left: () => budget.left(),
		isSpent: () => budget.isSpent(),
	};
}
