import { LRUCache } from 'lru-cache';
import { keptSize } from '../shared/readingSize.ts';
import { SharedReads } from '../../base/sharedFlights.ts';
import { sharedBudget, type SearchBudget } from '../repositories/history/historyReads.ts';
import type { FileFinder } from './fileFinder.ts';
import { wantedKey, type FoundFile, type Missing, type WantedFile } from './preImage.ts';

/** Contents that are held; what had to go is found again. */
const mostBytes = 32 * 1024 * 1024;
const overhead = 1000;

/** What the finder has found, and whoever wants something meanwhile waits for it and is looked for with others. */
export class FoundFiles {
	readonly #finder: FileFinder;
	readonly #found = new LRUCache<string, FoundFile>({ maxSize: mostBytes, sizeCalculation: sizeOfFound });
	readonly #reads = new SharedReads<ReadonlyMap<string, FoundFile>>();
	#waiting: WantedFile[] = [];
	#budgets = new Set<SearchBudget>();
	#batch = 0;
	#last: Promise<unknown> = Promise.resolve();

	constructor(finder: FileFinder) {
		this.#finder = finder;
	}

	async one(wanted: WantedFile, budget: SearchBudget, signal: AbortSignal): Promise<FoundFile> {
		const key = wantedKey(wanted);
		return (
			this.#found.get(key) ??
			(await this.all([wanted], budget, signal)).get(key) ?? { kind: 'none', missing: 'notThere' }
		);
	}

	/** `budget`: of the look that this is a step of. */
	async all(
		wanted: readonly WantedFile[],
		budget: SearchBudget,
		signal: AbortSignal,
	): Promise<ReadonlyMap<string, FoundFile>> {
		const unknown = wanted.filter((each) => !this.#found.has(wantedKey(each)));
		if (unknown.length === 0) {
			return new Map();
		}
		this.#waiting.push(...unknown);
		this.#budgets.add(budget);
		return await this.#reads.read(`${this.#batch}`, (shared) => this.#run(shared), signal);
	}

	/** Forgets what was not found, or not found for one of these reasons. */
	forgetMissing(isForgotten: (missing: Missing) => boolean): void {
		for (const [key, found] of this.#found.entries()) {
			if (found.kind !== 'exact' && isForgotten(found.missing)) {
				this.#found.delete(key);
			}
		}
	}

	dispose(): void {
		this.#reads.abortAll();
		this.#found.clear();
	}

	/** One look at a time: whoever comes while another is under way is looked for in the next. */
	async #run(signal: AbortSignal): Promise<ReadonlyMap<string, FoundFile>> {
		const before = this.#last;
		const ended = Promise.withResolvers<void>();
		this.#last = ended.promise;
		try {
			await before;
			// Whoever came after all others had left is looked for in a run of their own.
			signal.throwIfAborted();
			this.#batch += 1;
			const waiting = new Map(this.#waiting.map((each) => [wantedKey(each), each]));
			const budget = sharedBudget([...this.#budgets]);
			this.#waiting = [];
			this.#budgets = new Set();
			const known = [...waiting.keys()].flatMap((key): [string, FoundFile][] => {
				const found = this.#found.get(key);
				return found ? [[key, found]] : [];
			});
			known.forEach(([key]) => waiting.delete(key));
			const found = waiting.size === 0 ? [] : await this.#finder.find([...waiting.values()], budget, signal);
			const all = new Map([...known, ...found]);
			all.forEach((each, key) => this.#found.set(key, each));
			return all;
		} finally {
			ended.resolve();
		}
	}
}

function sizeOfFound(found: FoundFile): number {
	return keptSize((found.kind === 'none' ? 0 : found.content.length) + overhead, mostBytes);
}
