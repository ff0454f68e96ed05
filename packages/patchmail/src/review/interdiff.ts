import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { canProve } from '../patch/blobId.ts';
import type { FileDiff, ParsedDiff } from '../patch/fileDiff.ts';
import { patchChain, type FilePlace, type FileSpan, type PatchChain } from '../patch/patchChain.ts';
import { applySparse, filled, unknownText, type SparsePiece, type SparseText } from '../patch/sparseText.ts';
import type { WholeSides } from '../patch/wholeFile.ts';

export interface SeriesVersion {
	readonly patches: readonly { readonly diff: Pick<ParsedDiff, 'files'>; readonly diffText: string }[];
	/** Complete sides of a file's diff, if found. */
	readonly whole: (place: FilePlace) => WholeSides | undefined;
}

export type FileTexts =
	/** Complete contents; `undefined` for a nonexistent file. */
	| { readonly kind: 'whole'; readonly before: Uint8Array | undefined; readonly after: Uint8Array | undefined }
	/** Hunk lines with gaps. `base`: whether both versions start from the same content, by id. */
	| {
			readonly kind: 'hunks';
			readonly before: readonly SparsePiece[];
			readonly after: readonly SparsePiece[];
			readonly base: 'same' | 'other' | 'notStated';
	  }
	/** The hunks of a version are inconsistent or missing. */
	| { readonly kind: 'unknown' };

/** A file after the earlier version and after the later one. */
export interface FileBetween {
	/** Path in the later version, or in the earlier one if only that changes it. */
	readonly path: string;
	/** The versions that change it. In the other one, the file is unchanged from the base. */
	readonly changedBy: 'both' | 'earlier' | 'later';
	/** `undefined` when unknown. */
	readonly isSame: boolean | undefined;
	readonly texts: FileTexts;
	/** The changes of each version; `undefined` for a version without any. */
	readonly earlier: FileSpan | undefined;
	readonly later: FileSpan | undefined;
}

/** Compares the results of two versions file by file, in the order of the later one. Applies nothing. */
export function* interdiff(earlier: SeriesVersion, later: SeriesVersion): Steps<readonly FileBetween[]> {
	const [old, young] = [resultsOf(earlier), resultsOf(later)];
	const files: FileBetween[] = [];
	for (const path of new Set([...young.keys(), ...old.keys()])) {
		const [one, other] = [old.get(path), young.get(path)];
		const texts = yield* textsOf(one, other);
		const changedBy = one ? (other ? 'both' : 'earlier') : 'later';
		const hasSameText = isSame(texts);
		// File type and executable bit, if stated.
		const mode = modeBefore(one) ?? modeBefore(other);
		const hasSameMode = (modeBehind(one) ?? mode) === (modeBehind(other) ?? mode);
		files.push({
			path,
			changedBy,
			isSame: hasSameText === true ? hasSameMode : hasSameText,
			texts,
			earlier: one?.span,
			later: other?.span,
		});
		yield;
	}
	return files;
}

/** A changed file of a version, from before its first patch to after its last. */
interface Result {
	readonly version: SeriesVersion;
	readonly chain: PatchChain;
	readonly span: FileSpan;
	/** Id before all patches. */
	readonly baseId: string | undefined;
}

/** Keyed by final path. */
function resultsOf(version: SeriesVersion): ReadonlyMap<string, Result> {
	const chain = patchChain(version.patches.map(({ diff }) => diff));
	return new Map(
		chain.spans.map((span): readonly [string, Result] => {
			const last = fileAt(version, span.last);
			// Of a file without a path there is no span.
			const path = (last.newPath ?? last.oldPath)!;
			return [path, { version, chain, span, baseId: fileAt(version, span.first).oldId }];
		}),
	);
}

function fileAt({ patches }: SeriesVersion, { patch, file }: FilePlace): FileDiff {
	return patches[patch]!.diff.files[file]!;
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

/** The file before and after the version. */
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
	return result !== undefined && fileAt(result.version, result.span.first).oldPath !== undefined;
}

/** `notStated`: assumes equal bases, because nothing contradicts. */
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
	let text: SparseText | undefined = unknownText(fileAt(version, span.first).oldPath !== undefined);
	for (const place of way.toReversed()) {
		text = text && applySparse(text, version.patches[place.patch]!.diffText, fileAt(version, place));
		yield;
	}
	// A deleted file has no pieces.
	return text && fileAt(version, span.last).newPath === undefined ? { ...text, pieces: [] } : text;
}

function isSame(texts: FileTexts): boolean | undefined {
	switch (texts.kind) {
		case 'whole': {
			const { before, after } = texts;
			return before === undefined || after === undefined
				? before === after
				: before.length === after.length && before.every((byte, at) => byte === after[at]);
		}
		case 'hunks':
			return texts.base === 'other' ? undefined : lookOf(texts.before) === lookOf(texts.after);
		case 'unknown':
			return undefined;
	}
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

/** Ignores signs: a line removed and re-added equals an unchanged one. */
function lookOf(pieces: readonly SparsePiece[]): string {
	return JSON.stringify(
		pieces.map((piece) =>
			piece.kind === 'line' ? [piece.text, piece.hasLineEnd] : [piece.from, piece.to ?? null, 'gap'],
		),
	);
}
