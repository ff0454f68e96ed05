import { LRUCache } from 'lru-cache';
import { keptSize } from '../shared/readingSize.ts';
import { SharedReads } from '../../base/sharedFlights.ts';
import { JoinedBudget, payersOf, type SearchBudget } from '../repositories/history/historyReads.ts';
import type { FileFinder } from './fileFinder.ts';
import { wantedKey, type FoundFile, type Missing, type WantedFile } from './preImage.ts';

/** Contents that are held; what had to go is found again. */
const mostBytes = 32 * 1024 * 1024;
const overhead = 1000;

/** What the finder has found, and whoever wants something meanwhile waits for it and is looked for with others. */
export class FoundFiles {
	readonly #finder: Pick<FileFinder, 'find'>;
	readonly #found = new LRUCache<string, FoundFile>({ maxSize: mostBytes, sizeCalculation: sizeOfFound });
	readonly #reads = new SharedReads<ReadonlyMap<string, FoundFile>>();
	/** Those of looks that ended for want of requests. Each may have a few left, which were kept back for contents. */
	readonly #usedUp = new WeakSet<SearchBudget>();
	/** What the next look is for. */
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

	/** `budget`: of the look that this is a step of. */
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
		batch.wishes.add(unknown);
		const paying = batch.budget.join(budget);
		try {
			return await this.#reads.read(`${batch.number}`, (shared) => this.#run(batch, shared), signal);
		} finally {
			// Whoever leaves early must neither be looked for any longer nor pay for others.
			batch.wishes.delete(unknown);
			paying.dispose();
		}
	}

	/** How often what was told as missing has been forgotten, or looked for again: what was made of it may be out of date. */
	changes(): number {
		return this.#changes;
	}

	/** Forgets what was not found for one of these reasons. */
	forgetMissing(isForgotten: (missing: Missing) => boolean): void {
		for (const [key, found] of this.#found.entries()) {
			if (found.kind !== 'exact' && isForgotten(found.missing)) {
				this.#found.delete(key);
				this.#changes += 1;
			}
		}
	}

	/** What was found, as far as this budget goes: where the requests of another look ended, whoever has some left goes on. */
	#known(key: string, budget: SearchBudget): FoundFile | undefined {
		const found = this.#found.get(key);
		const canGoOn = (): boolean => payersOf(budget).some((each) => each.left() > 0 && !this.#usedUp.has(each));
		return found && endedEarly(found) && canGoOn() ? undefined : found;
	}

	/** One look at a time: whoever comes while another is under way is looked for in the next. */
	async #run(batch: Batch, signal: AbortSignal): Promise<ReadonlyMap<string, FoundFile>> {
		const before = this.#last;
		const ended = Promise.withResolvers<void>();
		this.#last = ended.promise;
		try {
			await before;
			// Whoever came after all others had left is looked for in a run of their own.
			signal.throwIfAborted();
			this.#next = new Batch(batch.number + 1);
			const waiting = new Map([...batch.wishes].flat().map((each) => [wantedKey(each), each]));
			const known = [...waiting.keys()].flatMap((key): [string, FoundFile][] => {
				const found = this.#known(key, batch.budget);
				return found ? [[key, found]] : [];
			});
			known.forEach(([key]) => waiting.delete(key));
			const payers = batch.budget.payers();
			const found = waiting.size === 0 ? [] : await this.#finder.find([...waiting.values()], batch.budget, signal);
			const all = new Map([...known, ...found]);
			for (const [key, each] of found) {
				if (endedEarly(each)) {
					payers.forEach((payer) => this.#usedUp.add(payer));
				}
				this.#changes += this.#found.has(key) ? 1 : 0;
				this.#found.set(key, each);
			}
			return all;
		} finally {
			ended.resolve();
		}
	}
}

/** True where the requests ended before all was looked at. */
function endedEarly(found: FoundFile): boolean {
	return found.kind !== 'exact' && found.missing === 'budget';
}

/** What is looked for together, and for whom. */
class Batch {
	readonly number: number;
	/** Of each who waits. */
	readonly wishes = new Set<readonly WantedFile[]>();
	readonly budget = new JoinedBudget();

	constructor(number: number) {
		this.number = number;
	}
}

function sizeOfFound(found: FoundFile): number {
	return keptSize((found.kind === 'none' ? 0 : found.content.length) + overhead, mostBytes);
}
