import { LRUCache } from 'lru-cache';
import { canProve, isStated } from '../../patch/blobId.ts';
import type { FileDiff, ParsedDiff } from '../../patch/fileDiff.ts';
import { ownBefore } from '../../patch/ownBefore.ts';
import { patchChain, type FilePlace, type FileSpan, type PatchChain } from '../../patch/patchChain.ts';
import { wholeFile, type WholeFile } from '../../patch/wholeFile.ts';
import { keptSize } from '../shared/readingSize.ts';
import { SharedReads } from '../../base/sharedFlights.ts';
import type { SearchBudget } from '../repositories/history/historyReads.ts';
import type { FileFinder } from './fileFinder.ts';
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

/** The files of patches that follow each other, each on what the patches before have left. */
export interface SeriesFiles {
	/** `undefined` where there is no such file. Rejects with aborts only. */
	file(place: FilePlace, signal: AbortSignal): Promise<SeriesFile | undefined>;
	/** Looks for everything that the patches change, together: for whoever wants to see many files. */
	prepare(signal: AbortSignal): Promise<void>;
	/** What all patches together do, by the first and the last change of each file. */
	readonly spans: readonly FileSpan[];
	/** Forgets where the forge could not be asked, so that the next look asks it again. */
	forgetFailures(): void;
	/** Forgets what could not be found, so that the next look goes on from there, and takes more requests. */
	lookFurther(): void;
	dispose(): void;
}

export interface SeriesFilesParts {
	readonly patches: readonly FilesOfPatch[];
	readonly finder: FileFinder;
	/** Lets others have their turn between two files. */
	readonly turn: (signal: AbortSignal) => Promise<void>;
}

/** Contents that are held of one series; what had to go is made again, from what was found. */
const mostBytes = 32 * 1024 * 1024;
const overhead = 1000;

/** A file that could not be made whole takes only those along that go on with it, and not even those that are found by their ids. */
export function seriesFiles({ patches, finder, turn }: SeriesFilesParts): SeriesFiles {
	const chain = patchChain(patches.map(({ diff }) => diff));
	const done = new LRUCache<string, SeriesFile>({ maxSize: mostBytes, sizeCalculation: sizeOf });
	const reads = new SharedReads<SeriesFile>();
	const found = new FoundFiles(finder);

	async function make(place: FilePlace, budget: SearchBudget, signal: AbortSignal): Promise<SeriesFile> {
		const known = done.get(keyOf(place));
		if (known) {
			return known;
		}
		const made = await makeNow(place, budget, signal);
		done.set(keyOf(place), made);
		await turn(signal);
		return made;
	}

	async function makeNow(place: FilePlace, budget: SearchBudget, signal: AbortSignal): Promise<SeriesFile> {
		const { text, file } = diffAt(place);
		const own = ownBefore(text, file);
		if (own.kind !== 'wanted') {
			const whole = wholeFile({ text, file, before: undefined });
			return { whole, origin: own.kind === 'content' ? 'patch' : undefined, missing: undefined };
		}
		const before = chain.follows(place);
		const left = before && done.get(keyOf(before));
		const result = left && left.whole.kind !== 'hunksOnly' ? left.whole.after : undefined;
		if (result && (own.id === undefined || isStated(result, own.id))) {
			return { whole: wholeFile({ text, file, before: result }), origin: 'series', missing: undefined };
		}
		const got = await found.one(wantedAt(place, own), budget, signal);
		return fileOf({ text, file }, got, result);
	}

	/** A series of thousands of patches to one file is no reason to call oneself thousands of times. */
	async function makeInOrder(place: FilePlace, signal: AbortSignal): Promise<SeriesFile> {
		const way: FilePlace[] = [];
		for (let at: FilePlace | undefined = place; at && !done.has(keyOf(at)); at = chain.follows(at)) {
			way.push(at);
		}
		// All that is asked for one file counts together, also what a patch wants whose predecessor was not made whole.
		const budget = finder.budget();
		const wanted = way.toReversed().flatMap(wantedApart);
		await (wanted.length > 1 ? found.all(wanted, budget, signal) : undefined);
		for (const at of way.toReversed()) {
			await make(at, budget, signal);
		}
		return await make(place, budget, signal);
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

	function forget(isForgotten: (missing: Missing) => boolean): void {
		found.forgetMissing(isForgotten);
		for (const [key, { missing }] of done.entries()) {
			if (missing !== undefined && isForgotten(missing)) {
				done.delete(key);
			}
		}
	}

	return {
		spans: chain.spans,
		async file(place, signal) {
			const isThere = patches[place.patch]?.diff.files[place.file] !== undefined;
			return isThere ? await reads.read(keyOf(place), (shared) => makeInOrder(place, shared), signal) : undefined;
		},
		async prepare(signal) {
			const wanted = patches.flatMap(({ diff }, patch) =>
				diff.files.flatMap((_, file) => wantedApart({ patch, file })),
			);
			await found.all(wanted, finder.budget(), signal);
		},
		forgetFailures: () => forget((missing) => missing === 'failed'),
		lookFurther() {
			finder.lookFurther();
			forget(() => true);
		},
		dispose() {
			reads.abortAll();
			found.dispose();
			done.clear();
		},
	};
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
