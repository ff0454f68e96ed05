import { LRUCache } from 'lru-cache';
import { canProve, isStated } from '../../patch/blobId.ts';
import type { FileDiff, ParsedDiff } from '../../patch/fileDiff.ts';
import { ownBefore } from '../../patch/ownBefore.ts';
import { patchChain, type FilePlace, type FileSpan, type PatchChain } from '../../patch/patchChain.ts';
import { wholeFile, type WholeFile } from '../../patch/wholeFile.ts';
import { keptSize } from '../shared/readingSize.ts';
import type { SearchBudget } from '../repositories/history/historyReads.ts';
import { BudgetedReads } from './budgetedReads.ts';
import type { FileFinder, HowFar } from './fileFinder.ts';
import { FoundFiles } from './foundFiles.ts';
import type { FoundFile, Missing, Origin, WantedFile } from './preImage.ts';

/** A patch of a series, as far as its files are concerned. */
export interface FilesOfPatch {
	readonly diff: Pick<ParsedDiff, 'files'>;
	/** What the diff's offsets point into. */
	readonly diffText: string;
}

/** A file of a patch, as whole as it could be made. */
export interface SeriesFile {
	readonly whole: WholeFile;
	/** Where the content before comes from; `undefined` where there is none, or none was found. */
	readonly origin: Origin | 'patch' | 'series' | 'near' | undefined;
	/** Why the very content was not found; `undefined` where it was, or none was needed. */
	readonly missing: Missing | undefined;
	/** What the forge said where it failed. */
	readonly error?: unknown;
}

/** What somebody wants of a series at once; all of it takes no more requests than one look may. */
export interface SeriesLook {
	/** `undefined` where there is no such file. Rejects with aborts only. */
	file(place: FilePlace, signal: AbortSignal): Promise<SeriesFile | undefined>;
	/** Looks for all that these files stand on, together: for whoever wants to see many of them. */
	prepare(places: readonly FilePlace[], signal: AbortSignal): Promise<void>;
}

/** The files of patches that follow each other, each on what the patches before have left. */
export interface SeriesFiles {
	/**
	 * Begins a look. What was found before costs it nothing. It goes on where the requests of those before were used up or
	 * the forge could not be asked; one that goes further looks for everything that was not found, and takes more requests.
	 * `budget`: what it shares with other looks, of other series.
	 */
	look(how: HowFar, budget?: SearchBudget): SeriesLook;
	/** As `SeriesLook` has it, for what shows a file again: from one look to the next all these take what one look may. */
	file(place: FilePlace, signal: AbortSignal): Promise<SeriesFile | undefined>;
	/** What all patches together do, by the first and the last change of each file. */
	readonly spans: readonly FileSpan[];
}

export interface SeriesFilesParts {
	readonly patches: readonly FilesOfPatch[];
	readonly finder: FileFinder;
	/** Lets others have their turn between two files. */
	readonly turn: (signal: AbortSignal) => Promise<void>;
	/** Gives up what is looked for, whoever waits for it. */
	readonly ending: AbortSignal;
}

/** Contents that are held of one series; what had to go is made again, from what was found. */
const mostBytes = 32 * 1024 * 1024;
const overhead = 1000;

/** A file that could not be made whole takes only those along that go on with it, and not even those that are found by their ids. */
export function seriesFiles({ patches, finder, turn, ending }: SeriesFilesParts): SeriesFiles {
	const chain = patchChain(patches.map(({ diff }) => diff));
	const done = new LRUCache<string, MadeFile>({ maxSize: mostBytes, sizeCalculation: ({ file }) => sizeOf(file) });
	const reads = new BudgetedReads<SeriesFile>();
	const found = new FoundFiles(finder);
	let again = finder.begin('first');

	/** What is not proven may stand on what has been found since. */
	function known(place: FilePlace): SeriesFile | undefined {
		const made = done.get(keyOf(place));
		return made && (made.file.whole.kind === 'verified' || made.changes === found.changes()) ? made.file : undefined;
	}

	/** `left`: what the patch before has left of it. */
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
		return fileOf({ text, file }, got, result);
	}

	/** A series of thousands of patches to one file is no reason to call oneself thousands of times. */
	async function makeInOrder(place: FilePlace, budget: SearchBudget, signal: AbortSignal): Promise<SeriesFile> {
		const { way, stands } = wayTo(place);
		const changes = found.changes();
		const wanted = way.flatMap(wantedApart);
		await (wanted.length > 1 ? found.all(wanted, budget, signal) : undefined);
		let last = stands;
		for (const at of way) {
			const made = known(at);
			last = made ?? (await make(at, last, budget, signal));
			if (!made) {
				done.set(keyOf(at), { file: last, changes });
				await turn(signal);
			}
		}
		return last ?? nowhere();
	}

	/** What has to be made for a file, in its order, and what the first of that stands on. Ends at what has been `met`. */
	function wayTo(
		place: FilePlace,
		met: ReadonlySet<string> = new Set(),
	): { readonly way: readonly FilePlace[]; readonly stands: SeriesFile | undefined } {
		const way: FilePlace[] = [];
		let stands: SeriesFile | undefined;
		for (let at: FilePlace | undefined = place; at && !met.has(keyOf(at)); at = chain.follows(at)) {
			stands = known(at);
			if (stands) {
				break;
			}
			way.push(at);
		}
		return { way: way.toReversed(), stands };
	}

	/** The same for several files, each only once. */
	function waysTo(places: readonly FilePlace[]): readonly FilePlace[] {
		const met = new Set<string>();
		return places.flatMap((place) => {
			const { way } = wayTo(place, met);
			way.forEach((at) => met.add(keyOf(at)));
			return way;
		});
	}

	function diffAt({ patch, file }: FilePlace): { readonly text: string; readonly file: FileDiff } {
		const { diff, diffText } = patches[patch] ?? nowhere();
		return { text: diffText, file: diff.files[file] ?? nowhere() };
	}

	function wantedAt(
		place: FilePlace,
		{ path, id }: { readonly path: string; readonly id: string | undefined },
	): WantedFile {
		return { path, id, isInLog: !isMadeBefore(place, chain, diffAt) };
	}

	/** What a file is made of, unless that is what the patches before leave. */
	function wantedApart(place: FilePlace): readonly WantedFile[] {
		const { text, file } = diffAt(place);
		const own = ownBefore(text, file);
		return own.kind === 'wanted' && !isMadeBefore(place, chain, diffAt) ? [wantedAt(place, own)] : [];
	}

	function isThere({ patch, file }: FilePlace): boolean {
		return patches[patch]?.diff.files[file] !== undefined;
	}

	function lookWith(budget: SearchBudget): SeriesLook {
		return {
			async file(place, signal) {
				const make = (paying: SearchBudget, working: AbortSignal): Promise<SeriesFile> =>
					makeInOrder(place, paying, working);
				return isThere(place)
					? await reads.read(keyOf(place), make, budget, AbortSignal.any([signal, ending]))
					: undefined;
			},
			async prepare(places, signal) {
				const wanted = waysTo(places.filter(isThere)).flatMap(wantedApart);
				await found.all(wanted, budget, AbortSignal.any([signal, ending]));
			},
		};
	}

	return {
		spans: chain.spans,
		file: (place, signal) => lookWith(again).file(place, signal),
		look(how, budget = finder.begin(how)) {
			again = finder.begin('first');
			found.forgetMissing((missing) => how === 'further' || missing === 'failed' || missing === 'budget');
			return lookWith(budget);
		},
	};
}

/** A file, and what `FoundFiles.changes` was when it began to be made. */
interface MadeFile {
	readonly file: SeriesFile;
	readonly changes: number;
}

/**
 * True where a patch before says that it makes this very content, so that no commit of then can have it. Where the ids say
 * otherwise a patch is missing between the two, or they were made from different commits.
 */
function isMadeBefore(
	place: FilePlace,
	chain: PatchChain,
	diffAt: (place: FilePlace) => { readonly file: FileDiff },
): boolean {
	const before = chain.follows(place);
	if (!before) {
		return false;
	}
	const [made, wanted] = [diffAt(before).file.newId, diffAt(place).file.oldId];
	return !canProve(made) || !canProve(wanted) || made.startsWith(wanted) || wanted.startsWith(made);
}

/** A file on what was found for it, and on what the patches before have left where that is all that there is. */
function fileOf(
	{ text, file }: { readonly text: string; readonly file: FileDiff },
	got: FoundFile,
	left: Uint8Array | undefined,
): SeriesFile {
	if (got.kind === 'exact') {
		return { whole: wholeFile({ text, file, before: got.content }), origin: got.origin, missing: undefined };
	}
	const near = got.kind === 'near' ? got.content : undefined;
	return {
		whole: wholeFile({ text, file, before: left ?? near }),
		origin: left ? 'series' : near && 'near',
		missing: got.missing,
		...(got.kind === 'none' && got.error !== undefined ? { error: got.error } : {}),
	};
}

function sizeOf({ whole }: SeriesFile): number {
	const sides = whole.kind === 'hunksOnly' ? [] : [whole.before, whole.after];
	return keptSize(
		sides.reduce((sum, side) => sum + (side?.length ?? 0), overhead),
		mostBytes,
	);
}

function keyOf({ patch, file }: FilePlace): string {
	return `${patch} ${file}`;
}

function nowhere(): never {
	throw new RangeError('There is no such file in these patches');
}
