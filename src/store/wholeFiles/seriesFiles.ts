import { LRUCache } from 'lru-cache';
import { canProve, isStated } from 'patchmail/patch/blobId.ts';
import type { FileDiff, ParsedDiff } from 'patchmail/patch/fileDiff.ts';
import { ownBefore } from 'patchmail/patch/ownBefore.ts';
import { patchChain, type FilePlace, type PatchChain } from 'patchmail/patch/patchChain.ts';
import { wholeFile, type WholeFile } from 'patchmail/patch/wholeFile.ts';
import { type SearchBudget, joinedBudget } from '../repositories/history/historyReads.ts';
import { keptSize } from '../shared/readingSize.ts';
import type { FileFinder, HowFar } from './fileFinder.ts';
import { type FoundFile, type Missing, type Origin, type WantedFile, wantedKey } from './preImage.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';

/** The files of one patch in a series. */
export interface FilesOfPatch {
	readonly diff: ParsedDiff;
	/** Base of the diff's offsets. */
	readonly diffText: string;
}

/** A file of a patch with the best content found. */
export interface SeriesFile {
	readonly whole: WholeFile;
	/** Source of the pre-image; `undefined` for a new file, or if none was found. */
	readonly origin: Origin | 'patch' | 'series' | 'near' | undefined;
	/** Why the exact pre-image is missing; `undefined` when found or not needed. */
	readonly missing: Missing | undefined;
	/** The forge's error, if any. */
	readonly error?: unknown;
}

/** Memory limit per series; evicted contents are rebuilt. */
const mostBytes = 32 * 1024 * 1024;
const overhead = 1000;

/** The files of consecutive patches, each based on the result of the previous ones. */
export type SeriesFiles = ReturnType<typeof seriesFiles>;

/**
 * A file without a pre-image affects only later patches of the same file, and not even those found by id. `turn` yields
 * to the event loop between two files; `ending` aborts all searches.
 */
export function seriesFiles(
	patches: readonly FilesOfPatch[],
	finder: FileFinder,
	turn: (signal: AbortSignal) => Promise<void>,
	ending: AbortSignal,
) {
	const chain = patchChain(patches.map(({ diff }) => diff));
	const diffAt = diffsOf(patches);
	/** With the value of `FoundFiles.changes` when the build started. */
	const done = new LRUCache<string, { readonly file: SeriesFile; readonly changes: number }>({
		maxSize: mostBytes,
		sizeCalculation({ file: { whole } }) {
			const [before, after] = whole.kind === 'hunksOnly' ? [] : [whole.before, whole.after];
			return keptSize((before?.length ?? 0) + (after?.length ?? 0) + overhead, mostBytes);
		},
	});
	const found = new FoundFiles(finder);
	let again = finder.begin('first');

	/** An unverified file is stale when later findings may improve it. */
	function known(place: FilePlace): SeriesFile | undefined {
		const made = done.get(keyOf(place));
		return made && (made.file.whole.kind === 'verified' || made.changes === found.changes()) ? made.file : undefined;
	}

	/** `left`: the file after the previous patch. */
	async function make(
		place: FilePlace,
		left: SeriesFile | undefined,
		budget: SearchBudget,
		signal: AbortSignal,
	): Promise<SeriesFile> {
		const { text, file } = diffAt(place);
		const own = ownBefore(text, file);
		if (own.kind !== 'wanted') {
			const whole = wholeFile({ text, file, before: undefined });
			return { whole, origin: own.kind === 'content' ? 'patch' : undefined, missing: undefined };
		}
		const result = left && left.whole.kind !== 'hunksOnly' ? left.whole.after : undefined;
		if (result && (own.id === undefined || isStated(result, own.id))) {
			return { whole: wholeFile({ text, file, before: result }), origin: 'series', missing: undefined };
		}
		const got = await found.one(wantedAt(place, own), budget, signal);
		if (got.kind === 'exact') {
			return { whole: wholeFile({ text, file, before: got.content }), origin: got.origin, missing: undefined };
		}
		// The result of the earlier patches is better than a near version.
		const near = got.kind === 'near' ? got.content : undefined;
		return {
			whole: wholeFile({ text, file, before: result ?? near }),
			origin: result ? 'series' : near && 'near',
			missing: got.missing,
			...(got.kind === 'none' && got.error !== undefined ? { error: got.error } : {}),
		};
	}

	/** Iterative: a series may have thousands of patches to one file. */
	async function makeInOrder(place: FilePlace, budget: SearchBudget, signal: AbortSignal): Promise<SeriesFile> {
		const { order, start } = orderTo(place);
		const changes = found.changes();
		const wanted = order.flatMap(wantedApart);
		await (wanted.length > 1 ? found.all(wanted, budget, signal) : undefined);
		let last = start;
		for (const at of order) {
			const made = known(at);
			last = made ?? (await make(at, last, budget, signal));
			if (!made) {
				done.set(keyOf(at), { file: last, changes });
				await turn(signal);
			}
		}
		return last ?? nowhere();
	}

	/** The files to build in order, and the cached file to start from. Stops at `met`. */
	function orderTo(
		place: FilePlace,
		met: ReadonlySet<string> = new Set(),
	): { readonly order: readonly FilePlace[]; readonly start: SeriesFile | undefined } {
		const order: FilePlace[] = [];
		let start: SeriesFile | undefined;
		for (let at: FilePlace | undefined = place; at && !met.has(keyOf(at)); at = chain.follows(at)) {
			start = known(at);
			if (start) {
				break;
			}
			order.push(at);
		}
		return { order: order.toReversed(), start };
	}

	function wantedAt(
		place: FilePlace,
		{ path, id }: { readonly path: string; readonly id: string | undefined },
	): WantedFile {
		return { path, id, isInLog: !isMadeBefore(place, chain, diffAt) };
	}

	const wantedApart = (place: FilePlace): readonly WantedFile[] => apart(place, chain, diffAt);

	function isThere({ patch, file }: FilePlace): boolean {
		return patches[patch]?.diff.files[file] !== undefined;
	}

	/** Reads of one user action; all share one budget. */
	function lookWith(budget: SearchBudget) {
		return {
			/** `undefined` for a nonexistent file. Rejects only with aborts. */
			async file(place: FilePlace, signal: AbortSignal) {
				return isThere(place) ? await makeInOrder(place, budget, AbortSignal.any([signal, ending])) : undefined;
			},
			/** Searches the pre-images of many files together. */
			async prepare(places: readonly FilePlace[], signal: AbortSignal) {
				const met = new Set<string>();
				const orders = places.filter(isThere).flatMap((place) => {
					const { order } = orderTo(place, met);
					order.forEach((at) => met.add(keyOf(at)));
					return order;
				});
				await found.all(orders.flatMap(wantedApart), budget, AbortSignal.any([signal, ending]));
			},
		};
	}

	return {
		/** First and last change of each file across all patches. */
		spans: chain.spans,
		/** Like `file` of a look, for views that reopen a file. All calls between two `look` calls share one budget. */
		file: (place: FilePlace, signal: AbortSignal) => lookWith(again).file(place, signal),
		/**
		 * Starts a search that continues earlier ones. Earlier findings are free. `further` retries everything missing with
		 * a larger limit. `budget`: shared with other series.
		 */
		look(how: HowFar, budget: SearchBudget = finder.begin(how)) {
			again = finder.begin('first');
			found.forgetMissing((missing) => how === 'further' || missing === 'failed' || missing === 'budget');
			return lookWith(budget);
		},
	};
}

/** All pre-images of a series that its repository may have. */
export function wantedOfSeries(patches: readonly FilesOfPatch[]): readonly WantedFile[] {
	const chain = patchChain(patches.map(({ diff }) => diff));
	const places = patches.flatMap(({ diff }, patch) => diff.files.map((_, file) => ({ patch, file })));
	return places.flatMap((place) => apart(place, chain, diffsOf(patches)));
}

type DiffAt = (place: FilePlace) => { readonly text: string; readonly file: FileDiff };

function diffsOf(patches: readonly FilesOfPatch[]): DiffAt {
	return ({ patch, file }) => {
		const { diff, diffText } = patches[patch] ?? nowhere();
		return { text: diffText, file: diff.files[file] ?? nowhere() };
	};
}

/** Pre-image to search for, unless an earlier patch creates it. */
function apart(place: FilePlace, chain: PatchChain, diffAt: DiffAt): readonly WantedFile[] {
	const { text, file } = diffAt(place);
	const own = ownBefore(text, file);
	const isWanted = own.kind === 'wanted' && !isMadeBefore(place, chain, diffAt);
	return isWanted ? [{ path: own.path, id: own.id, isInLog: true }] : [];
}

/**
 * True when an earlier patch creates exactly this content, so no commit has it. When the ids differ, a patch is missing
 * in between or the base commits differ.
 */
function isMadeBefore(place: FilePlace, chain: PatchChain, diffAt: DiffAt): boolean {
	const before = chain.follows(place);
	if (!before) {
		return false;
	}
	const [made, wanted] = [diffAt(before).file.newId, diffAt(place).file.oldId];
	return !canProve(made) || !canProve(wanted) || made.startsWith(wanted) || wanted.startsWith(made);
}

function keyOf({ patch, file }: FilePlace): string {
	return `${patch} ${file}`;
}

function nowhere(): never {
	throw new RangeError('There is no such file in these patches');
}

/** Findings of the finder. Batches callers that arrive during a search. */
export class FoundFiles {
	readonly #finder: FileFinder;
	readonly #found = new LRUCache<string, FoundFile>({ maxSize: mostBytes, sizeCalculation: sizeOfFound });
	readonly #reads = new SharedReads<ReadonlyMap<string, FoundFile>>();
	/** Budgets of searches that ran out of requests. Each may have a small reserve left. */
	readonly #usedUp = new WeakSet<SearchBudget>();
	/** Callers of the next search. */
	#next = new Batch(0);
	#last: Promise<unknown> = Promise.resolve();
	#changes = 0;

	constructor(finder: FileFinder) {
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
