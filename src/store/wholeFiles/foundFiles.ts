import { LRUCache } from 'lru-cache';
import { keptSize } from '../shared/readingSize.ts';
import { SharedReads } from '../../base/sharedFlights.ts';
import { joinedBudget, type SearchBudget } from '../repositories/history/historyReads.ts';
import type { FileFinder } from './fileFinder.ts';
import { wantedKey, type FoundFile, type Missing, type WantedFile } from './preImage.ts';

/** Memory limit; evicted contents are searched again. */
const mostBytes = 32 * 1024 * 1024;
const overhead = 1000;

/** Findings of the finder. Batches callers that arrive during a search. */
export class FoundFiles {
	readonly #finder: Pick<FileFinder, 'find'>;
	readonly #found = new LRUCache<string, FoundFile>({ maxSize: mostBytes, sizeCalculation: sizeOfFound });
	readonly #reads = new SharedReads<ReadonlyMap<string, FoundFile>>();
	/** Budgets of searches that ran out of requests. Each may have a small reserve left. */
	readonly #usedUp = new WeakSet<SearchBudget>();
	/** Callers of the next search. */
	#next = new Batch(0);
	#last: Promise<unknown> = Promise.resolve();
	#changes = 0;

	constructor(finder: Pick<FileFinder, 'find'>) {
		this.#finder = finder;
	}

	async one(wanted: WantedFile, budget: SearchBudget, signal: AbortSignal): Promise<FoundFile> {
		const key = wantedKey(wanted);
		return (
			this.#known(key, budget) ??
			(await this.all([wanted], budget, signal)).get(key) ?? { kind: 'none', missing: 'notThere' }
		);
	}

	/** `budget`: of the search that this call is part of. */
	async all(
		wanted: readonly WantedFile[],
		budget: SearchBudget,
		signal: AbortSignal,
	): Promise<ReadonlyMap<string, FoundFile>> {
		const unknown = wanted.filter((each) => !this.#known(wantedKey(each), budget));
		if (unknown.length === 0) {
			return new Map();
		}
		const batch = this.#next;
		const wish = { wanted: unknown, budget };
		batch.wishes.add(wish);
		try {
			return await this.#reads.read(`${batch.number}`, (shared) => this.#run(batch, shared), signal);
		} finally {
			// A caller that leaves must not pay further, and its files must not be searched.
			batch.wishes.delete(wish);
		}
	}

	/** Incremented when a missing file is forgotten or searched again; results built on it may be stale. */
	changes(): number {
		return this.#changes;
	}

	/** Forgets missing files by reason. */
	forgetMissing(isForgotten: (missing: Missing) => boolean): void {
		for (const [key, found] of this.#found.entries()) {
			if (found.kind !== 'exact' && isForgotten(found.missing)) {
				this.#found.delete(key);
				this.#changes += 1;
			}
		}
	}

	/**
	 * A finding valid for this budget. If another search ran out of requests, a caller with requests left continues.
	 */
	#known(key: string, budget: SearchBudget): FoundFile | undefined {
		const found = this.#found.get(key);
		return found && endedEarly(found) && budget.left() > 0 && !this.#usedUp.has(budget) ? undefined : found;
	}

	/** Runs one search at a time; later callers join the next. */
	async #run(batch: Batch, signal: AbortSignal): Promise<ReadonlyMap<string, FoundFile>> {
		const before = this.#last;
		const ended = Promise.withResolvers<void>();
		this.#last = ended.promise;
		try {
			await before;
			// All callers left before this started; newer ones get their own run.
			signal.throwIfAborted();
			this.#next = new Batch(batch.number + 1);
			const waiting = new Map<string, WantedFile>();
			const all = new Map<string, FoundFile>();
			const payers = batch.budgets();
			for (const each of [...batch.wishes].flatMap(({ wanted }) => wanted)) {
				const key = wantedKey(each);
				const known = [...payers].every((payer) => this.#known(key, payer)) && this.#found.get(key);
				if (known) {
					all.set(key, known);
				} else {
					waiting.set(key, each);
				}
			}
			const found = waiting.size === 0 ? [] : await this.#finder.find([...waiting.values()], batch.budget, signal);
			for (const [key, each] of found) {
				if (endedEarly(each)) {
					payers.forEach((payer) => this.#usedUp.add(payer));
				}
				this.#changes += this.#found.has(key) ? 1 : 0;
				this.#found.set(key, each);
				all.set(key, each);
			}
			return all;
		} finally {
			ended.resolve();
		}
	}
}

/** True when the budget ended the search. */
function endedEarly(found: FoundFile): boolean {
	return found.kind !== 'exact' && found.missing === 'budget';
}

/** Files to search together, and their callers. */
class Batch {
	readonly number: number;
	/** One entry per caller. */
	readonly wishes = new Set<{ readonly wanted: readonly WantedFile[]; readonly budget: SearchBudget }>();
	/** Each once, even if it waits here several times. */
	readonly budgets = (): ReadonlySet<SearchBudget> => new Set(Array.from(this.wishes, ({ budget }) => budget));
	readonly budget = joinedBudget(this.budgets);

	constructor(number: number) {
		this.number = number;
	}
}

function sizeOfFound(found: FoundFile): number {
	return keptSize((found.kind === 'none' ? 0 : found.content.length) + overhead, mostBytes);
}
