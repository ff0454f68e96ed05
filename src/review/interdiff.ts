import type { Steps } from '../base/timeSlice.ts';
import { canProve } from '../patch/blobId.ts';
import type { FileDiff, ParsedDiff } from '../patch/fileDiff.ts';
import { patchChain, type FilePlace, type FileSpan, type PatchChain } from '../patch/patchChain.ts';
import { applySparse, filled, unknownText, type SparsePiece, type SparseText } from '../patch/sparseText.ts';
import type { WholeSides } from '../patch/wholeFile.ts';

/** One version of a series. */
export interface SeriesVersion {
	readonly patches: readonly { readonly diff: Pick<ParsedDiff, 'files'>; readonly diffText: string }[];
	/** Both sides of a file's diff, where they were found whole. */
	readonly whole: (place: FilePlace) => WholeSides | undefined;
}

/** What a file is made of. */
export type FileTexts =
	/** All of both; `undefined` where the file does not exist. */
	| { readonly kind: 'whole'; readonly before: Uint8Array | undefined; readonly after: Uint8Array | undefined }
	/** What hunks show, and gaps between. `base`: whether both versions were made from one text, by its id. */
	| {
			readonly kind: 'hunks';
			readonly before: readonly SparsePiece[];
			readonly after: readonly SparsePiece[];
			readonly base: 'same' | 'other' | 'notStated';
	  }
	/** The hunks of one version do not fit each other, or are none. */
	| { readonly kind: 'unknown' };

/** A file as the earlier version leaves it, and as the later one does. */
export interface FileBetween {
	/** Its path in the later version; in the earlier one where only that changes it. */
	readonly path: string;
	/** Which version changes it. For the other one, the file is what it was before all patches. */
	readonly changedBy: 'both' | 'earlier' | 'later';
	/** `undefined` where it cannot be told. */
	readonly isSame: boolean | undefined;
	readonly texts: FileTexts;
	/** What each version does to it; `undefined` for the one that leaves it alone. */
	readonly earlier: FileSpan | undefined;
	readonly later: FileSpan | undefined;
}

/** Compares what two versions of a series leave, file by file, in the order of the later one. Nothing is applied anywhere. */
export function* interdiff(earlier: SeriesVersion, later: SeriesVersion): Steps<readonly FileBetween[]> {
	const [old, young] = [resultsOf(earlier), resultsOf(later)];
	const files: FileBetween[] = [];
	for (const path of new Set([...young.keys(), ...old.keys()])) {
		const [one, other] = [old.get(path), young.get(path)];
		const texts = yield* textsOf(one, other);
		const changedBy = one ? (other ? 'both' : 'earlier') : 'later';
		const same = isSame(texts) === true && !isSameMode(one, other) ? false : isSame(texts);
		files.push({ path, changedBy, isSame: same, texts, earlier: one?.span, later: other?.span });
		yield;
	}
	return files;
}

/** A file that a version changes, from before its first patch to behind its last. */
interface Result {
	readonly version: SeriesVersion;
	readonly chain: PatchChain;
	readonly span: FileSpan;
	/** Its id before all patches. */
	readonly baseId: string | undefined;
}

/** By the paths that the files have in the end. */
function resultsOf(version: SeriesVersion): ReadonlyMap<string, Result> {
	const chain = patchChain(version.patches.map(({ diff }) => diff));
	return new Map(
		chain.spans.flatMap((span): readonly (readonly [string, Result])[] => {
			const [first, last] = [fileAt(version, span.first), fileAt(version, span.last)];
			const path = last?.newPath ?? last?.oldPath;
			return path === undefined ? [] : [[path, { version, chain, span, baseId: first?.oldId }]];
		}),
	);
}

function fileAt({ patches }: SeriesVersion, { patch, file }: FilePlace): FileDiff | undefined {
	return patches[patch]?.diff.files[file];
}

function* textsOf(one: Result | undefined, other: Result | undefined): Steps<FileTexts> {
	const [before, after] = [wholeOf(one), wholeOf(other)];
	if (one && other && before && after) {
		return { kind: 'whole', before: before.after, after: after.after };
	}
	const single = one ? before : after;
	if (single && !(one && other)) {
		return one
			? { kind: 'whole', before: single.after, after: single.before }
			: { kind: 'whole', before: single.before, after: single.after };
	}
	return yield* sparseTexts(one, other);
}

/** What the file was before the version, and what it is behind it. */
function wholeOf(result: Result | undefined): WholeSides | undefined {
	const first = result?.version.whole(result.span.first);
	const last = result?.version.whole(result.span.last);
	return first && last ? { before: first.before, after: last.after } : undefined;
}

function* sparseTexts(one: Result | undefined, other: Result | undefined): Steps<FileTexts> {
	const exists = existsBefore(one ?? other);
	const before = one ? yield* sparseOf(one) : unknownText(exists);
	const after = other ? yield* sparseOf(other) : unknownText(exists);
	if (!before || !after) {
		return { kind: 'unknown' };
	}
	const base = one && other ? baseOf(one, other) : 'same';
	return base === 'other'
		? { kind: 'hunks', before: before.pieces, after: after.pieces, base }
		: { kind: 'hunks', before: filled(before, after).pieces, after: filled(after, before).pieces, base };
}

function existsBefore(result: Result | undefined): boolean {
	return result !== undefined && fileAt(result.version, result.span.first)?.oldPath !== undefined;
}

/** `notStated`: lines of one version are taken for those of the other all the same, since nothing speaks against it. */
function baseOf(one: Result, other: Result): 'same' | 'other' | 'notStated' {
	if (existsBefore(one) !== existsBefore(other)) {
		return 'other';
	}
	const [id, otherId] = [one.baseId, other.baseId];
	if (!existsBefore(one)) {
		return 'same';
	}
	if (!canProve(id) || !canProve(otherId)) {
		return 'notStated';
	}
	return id.startsWith(otherId) || otherId.startsWith(id) ? 'same' : 'other';
}

function* sparseOf({ version, chain, span }: Result): Steps<SparseText | undefined> {
	const way: FilePlace[] = [];
	for (let at: FilePlace | undefined = span.last; at; at = chain.follows(at)) {
		way.push(at);
	}
	const first = fileAt(version, span.first);
	let text: SparseText | undefined = unknownText(first?.oldPath !== undefined);
	for (const place of way.toReversed()) {
		const file = fileAt(version, place);
		text = text && file ? applySparse(text, version.patches[place.patch]?.diffText ?? '', file) : undefined;
		yield;
	}
	const last = fileAt(version, span.last);
	// Of a file that is gone nothing is left, not even at its end.
	return text && last?.newPath === undefined ? { ...text, pieces: [] } : text;
}

function isSame(texts: FileTexts): boolean | undefined {
	switch (texts.kind) {
		case 'whole':
			return texts.before === undefined || texts.after === undefined
				? texts.before === texts.after
				: areSameBytes(texts.before, texts.after);
		case 'hunks':
			return texts.base === 'other' ? undefined : lookOf(texts.before) === lookOf(texts.after);
		case 'unknown':
			return undefined;
	}
}

/** Whether both leave the same kind of file, and as executable, as far as they state it. */
function isSameMode(one: Result | undefined, other: Result | undefined): boolean {
	const before = modeBefore(one) ?? modeBefore(other);
	return (modeBehind(one) ?? before) === (modeBehind(other) ?? before);
}

function modeBefore(result: Result | undefined): string | undefined {
	return result && fileAt(result.version, result.span.first)?.oldMode;
}

function modeBehind(result: Result | undefined): string | undefined {
	if (!result) {
		return undefined;
	}
	let at: FilePlace | undefined = result.span.last;
	while (at && fileAt(result.version, at)?.newMode === undefined) {
		at = result.chain.follows(at);
	}
	return at && fileAt(result.version, at)?.newMode;
}

/** A line that one version takes away and brings back is the line that the other one leaves alone. */
function lookOf(pieces: readonly SparsePiece[]): string {
	return JSON.stringify(
		pieces.map((piece) =>
			piece.kind === 'line' ? [piece.text, piece.hasLineEnd] : [piece.from, piece.to ?? null, 'gap'],
		),
	);
}

function areSameBytes(one: Uint8Array, other: Uint8Array): boolean {
	return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
