import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { contentId } from '../patch/blobId.ts';
import { byteText } from '../patch/byteText.ts';
import type { FileDiff, Hunk } from '../patch/fileDiff.ts';
import { hunkLines, type HunkLine } from '../patch/hunkLines.ts';
import { lineChanges, LineNumbers } from '../patch/lineDiff.ts';
import { lineBetween, type LineBetween } from '../patch/lineMap.ts';
import type { SparsePiece } from '../patch/sparseText.ts';
import type { WholeSides } from '../patch/wholeFile.ts';
import type { SeriesPatch, SeriesReading } from '../series/seriesReading.ts';
import type { SeriesVersion } from './interdiff.ts';
import type { RangePair } from './rangeDiff.ts';
import type { CommentPlace, LinePlace } from './reviewComment.ts';
import type { ReviewThread } from './reviewThreads.ts';

/** A thread of an earlier version, placed in a later one. */
export interface CarriedThread {
	/** Comments keep their original places. */
	readonly thread: ReviewThread;
	/** The commented line changed or is gone, or the later patch doesn't show it. */
	readonly isChanged: boolean;
	/** The unchanged line's new position, if outside the later diff. */
	readonly inWhole: WholeLine | undefined;
}

/** A line of a complete file, before or after a patch. */
export interface WholeLine extends Pick<LinePlace, 'mailId' | 'file' | 'side' | 'line'> {
	/** Ids instead of contents, which may be megabytes. */
	readonly contents: Readonly<Record<keyof WholeSides, string | undefined>>;
}

export interface CarriedVersion extends Pick<SeriesReading, 'patches'> {
	/** Verified complete sides of a file's diff. */
	readonly whole?: SeriesVersion['whole'] | undefined;
}

/** Two versions with their paired patches. */
export interface CarriedVersions {
	readonly earlier: CarriedVersion;
	readonly later: CarriedVersion;
	readonly pairs: readonly RangePair[];
}

/**
 * Places threads of an earlier version in a later one: on their lines, if the diff or complete files show them;
 * otherwise on the file or patch. Threads on removed patches, the cover letter or other mails have no place.
 */
export function* carriedThreads(
	threads: readonly ReviewThread[],
	versions: CarriedVersions,
	/** Of earlier calls with these versions. */
	carriers: Carriers = newCarriers(),
): Steps<readonly CarriedThread[]> {
	const carried: CarriedThread[] = [];
	for (const thread of threads) {
		const { place } = thread;
		if (place.kind === 'elsewhere') {
			continue;
		}
		const [one, other] = pairOf(place, versions);
		if (one && one.mail.id === other?.mail.id) {
			carried.push({ thread, isChanged: false, inWhole: undefined });
			continue;
		}
		const found = one && other && (yield* placeIn(place, one, other, carriers));
		if (found) {
			const pair = { one, other, carriers };
			const inWhole = found.isChanged && place.kind === 'line' ? yield* lineInWhole(place, pair, versions) : undefined;
			const shown = inWhole && lineOfSide(other, inWhole);
			carried.push(
				shown
					? { thread: { ...thread, place: shown }, isChanged: false, inWhole: undefined }
					: { thread: { ...thread, place: found.place }, isChanged: found.isChanged, inWhole },
			);
		}
		yield;
	}
	return carried;
}

/** The patch of a place and its successor. A heavily changed patch is paired by subject. */
export function pairOf(
	{ mailId }: { readonly mailId: number | undefined },
	{ earlier, later, pairs }: CarriedVersions,
): readonly [SeriesPatch | undefined, SeriesPatch | undefined] {
	const at = earlier.patches.findIndex(({ mail }) => mail.id === mailId);
	const one = earlier.patches[at];
	// A partial re-roll keeps the mails of unchanged patches.
	const kept = one && later.patches.find(({ mail }) => mail.id === mailId);
	if (kept) {
		return [one, kept];
	}
	const pair = pairs.find((each) => each.kind !== 'added' && each.old === at);
	if (pair?.kind === 'same' || pair?.kind === 'changed') {
		return [one, later.patches[pair.new]];
	}
	const fresh = new Set(pairs.flatMap((each) => (each.kind === 'added' ? [each.new] : [])));
	const named = later.patches.find(({ patch }, index) => fresh.has(index) && patch.subject === one?.patch.subject);
	return [one, pair && named];
}

type PlaceOnPatch = Exclude<CommentPlace, { readonly kind: 'elsewhere' }>;

interface FoundPlace {
	readonly place: PlaceOnPatch;
	readonly isChanged: boolean;
}

/** Line mappings by patch, file and side. */
export interface Carriers {
	readonly shown: Map<string, ShownSides>;
	readonly whole: Map<string, LineCarrier>;
}

export function newCarriers(): Carriers {
	return { shown: new Map(), whole: new Map() };
}

/** The lines of a file that two patches show on one side. */
interface ShownSides {
	readonly before: readonly NumberedLine[];
	readonly after: readonly NumberedLine[];
	readonly carrier: LineCarrier;
	/** Lines with words of each hunk. */
	readonly words: { readonly before: readonly HunkWords[]; readonly after: readonly HunkWords[] };
}

function* placeIn(
	place: PlaceOnPatch,
	one: SeriesPatch,
	other: SeriesPatch,
	carriers: Carriers,
): Steps<FoundPlace | undefined> {
	const mailId = other.mail.id;
	switch (place.kind) {
		case 'message':
		case 'commentary': {
			const line = sameLine(one.patch[place.kind], other.patch[place.kind], place.line);
			return { place: { ...place, mailId, line: line ?? place.line }, isChanged: line === undefined };
		}
		case 'cover':
		case 'general':
			return { place: { ...place, mailId }, isChanged: false };
		case 'file':
		case 'line': {
			const file = sameFile(one.patch.diff.files[place.file], other.patch.diff.files);
			if (file === -1) {
				return { place: { kind: 'general', mailId }, isChanged: true };
			}
			const onFile = { kind: 'file', mailId, file } as const;
			return place.kind === 'file'
				? { place: onFile, isChanged: false }
				: ((yield* lineIn(place, one, other, { file, carriers })) ?? { place: onFile, isChanged: true });
		}
	}
}

/** Number of the nearest equal line in a later text; lines count from 1. */
export function sameLine(before: string, after: string, line: number): number | undefined {
	const text = before.split('\n')[line - 1];
	const equal = after.split('\n').flatMap((each, at) => (each === text ? [at + 1] : []));
	return equal.toSorted((a, b) => Math.abs(a - line) - Math.abs(b - line))[0];
}

function sameFile(file: FileDiff | undefined, files: readonly FileDiff[]): number {
	const byNew = files.findIndex(({ newPath }) => newPath !== undefined && newPath === file?.newPath);
	return byNew === -1 ? files.findIndex(({ oldPath }) => oldPath !== undefined && oldPath === file?.oldPath) : byNew;
}

interface FileOfLater {
	readonly file: number;
	readonly carriers: Carriers;
}

/** `undefined` when the later diff shows neither the line nor its replacement. */
function* lineIn(
	{ side, line, file: oldFile }: LinePlace,
	one: SeriesPatch,
	other: SeriesPatch,
	{ file, carriers }: FileOfLater,
): Steps<FoundPlace | undefined> {
	const key = `${one.mail.id} ${oldFile} ${side}`;
	let sides = carriers.shown.get(key);
	if (!sides) {
		const [before, after] = [linesOfSide(one, oldFile, side), linesOfSide(other, file, side)];
		const carrier = yield* pieceCarrier(piecesOf(before), piecesOf(after));
		sides = { before, after, carrier, words: { before: wordsOf(one, oldFile), after: wordsOf(other, file) } };
		carriers.shown.set(key, sides);
	}
	const found = sides.carrier(line);
	const from = sides.before.find((each) => each.line === line);
	const to = found && sides.after.find((each) => each.line === found.line);
	return from && to && isSameSpot(from, to, found.kind === 'same', sides)
		? { place: linePlace(other, { file, side, shown: to }), isChanged: found.kind !== 'same' }
		: undefined;
}

type HunkWords = ReadonlySet<string>;

function wordsOf({ patch }: SeriesPatch, file: number): readonly HunkWords[] {
	const content = patch.diff.files[file]?.content;
	return (content?.kind === 'text' ? content.hunks : []).map(
		(hunk) =>
			new Set(Array.from(hunkLines(patch.diffText, hunk), ({ text }) => text).filter((text) => /\w/.test(text))),
	);
}

/**
 * A diff of hunks pairs lines of unrelated hunks. Two hunks are about the same spot if they share two lines of words or
 * half of their lines, or if they have an equal line and overlap. One shared `return 0;` proves nothing.
 */
function isSameSpot(from: NumberedLine, to: NumberedLine, isEqual: boolean, sides: ShownSides): boolean {
	const { before: ofOne, after: ofOther } = sides.words;
	const [before = new Set<string>(), after = new Set<string>()] = [ofOne[from.hunk], ofOther[to.hunk]];
	const enough = Math.min(2, Math.min(before.size, after.size) / 2);
	let shared = 0;
	for (const text of before) {
		shared += after.has(text) ? 1 : 0;
		if (shared > 0 && shared >= enough) {
			return true;
		}
	}
	const [one, other] = [rangeOf(sides.before, from.hunk), rangeOf(sides.after, to.hunk)];
	return isEqual && one.first <= other.last && other.first <= one.last;
}

function rangeOf(lines: readonly NumberedLine[], hunk: number) {
	return {
		first: lines.find((each) => each.hunk === hunk)?.line ?? 0,
		last: lines.findLast((each) => each.hunk === hunk)?.line ?? 0,
	};
}

/** A patch, its successor, and the line mappings. */
interface PatchPair {
	readonly one: SeriesPatch;
	readonly other: SeriesPatch;
	readonly carriers: Carriers;
}

/** `undefined` for a changed line or unknown complete files. */
function* lineInWhole(
	{ side, line, file: oldFile }: LinePlace,
	{ one, other, carriers }: PatchPair,
	{ earlier, later }: CarriedVersions,
): Steps<WholeLine | undefined> {
	const file = sameFile(one.patch.diff.files[oldFile], other.patch.diff.files);
	const content = side === 'old' ? 'before' : 'after';
	const before = earlier.whole?.({ patch: earlier.patches.indexOf(one), file: oldFile })?.[content];
	const sides = file === -1 ? undefined : later.whole?.({ patch: later.patches.indexOf(other), file });
	const after = sides?.[content];
	if (!before || !after) {
		return undefined;
	}
	const key = `${one.mail.id} ${oldFile} ${side}`;
	const carrier = carriers.whole.get(key) ?? (yield* pieceCarrier(linesOf(byteText(before)), linesOf(byteText(after))));
	carriers.whole.set(key, carrier);
	const found = carrier(line);
	return found?.kind === 'same'
		? {
				mailId: other.mail.id,
				file,
				side,
				line: found.line,
				contents: { before: sides.before && contentId(sides.before), after: sides.after && contentId(sides.after) },
			}
		: undefined;
}

/** A file line as a place in the patch; `undefined` outside its diff. */
export function lineOfSide(
	patch: SeriesPatch,
	{ file, side, line }: Pick<LinePlace, 'file' | 'side' | 'line'>,
): LinePlace | undefined {
	const shown = linesOfSide(patch, file, side).find((each) => each.line === line);
	return shown && linePlace(patch, { file, side, shown });
}

function linePlace(
	{ mail }: SeriesPatch,
	{ file, side, shown }: { readonly file: number; readonly side: 'old' | 'new'; readonly shown: NumberedLine },
): LinePlace {
	const { hunk, line, start, end } = shown;
	return { kind: 'line', mailId: mail.id, file, hunk, side, line, firstLine: line, start, end };
}

/** A hunk line with its line number on one side. */
interface NumberedLine extends Pick<HunkLine, 'text' | 'hasLineEnd' | 'start' | 'end'> {
	readonly line: number;
	readonly hunk: number;
}

export function linesOfSide({ patch }: SeriesPatch, file: number, side: 'old' | 'new'): readonly NumberedLine[] {
	const { content } = patch.diff.files[file]!;
	const hunks: readonly Hunk[] = content.kind === 'text' ? content.hunks : [];
	const other = side === 'old' ? 'added' : 'removed';
	return hunks.flatMap((hunk, at) => {
		const first = side === 'old' ? hunk.oldStart : hunk.newStart;
		return Array.from(hunkLines(patch.diffText, hunk))
			.filter(({ kind }) => kind !== other)
			.map((each, index) => ({ ...each, line: first + index, hunk: at }));
	});
}

function piecesOf(lines: readonly NumberedLine[]): readonly SparsePiece[] {
	let next = 1;
	const pieces = lines.flatMap(({ line, text, hasLineEnd }): readonly SparsePiece[] => {
		const gap = line > next ? [{ kind: 'gap', from: next, to: line - 1 } as const] : [];
		next = line + 1;
		return [...gap, { kind: 'line', text, hasLineEnd, base: undefined }];
	});
	return [...pieces, { kind: 'gap', from: next, to: undefined }];
}

/** Maps a line of the earlier text to the later one; both count from 1. `undefined` for a line outside the text. */
export type LineCarrier = (line: number) => LineBetween | undefined;

/**
 * Maps lines of a file between two versions of a series, for comments. For a comment on a patch, both versions must end
 * with the matching patches. From hunks alone, a line in a gap maps only if both versions leave it unchanged.
 */
export function* pieceCarrier(before: readonly SparsePiece[], after: readonly SparsePiece[]): Steps<LineCarrier> {
	const numbers = new LineNumbers();
	const [old, young] = [numbers.of(before.map(keyOf)), numbers.of(after.map(keyOf))];
	const changes = yield* lineChanges(old, young, numbers.indentOf);
	const [oldStarts, newStarts] = [startsOf(before), startsOf(after)];
	return (line) => {
		const at = pieceAt(oldStarts, line);
		const piece = before[at];
		if (!piece || line < 1) {
			return undefined;
		}
		const found = lineBetween(changes, at);
		const start = newStarts[found.line]!;
		return { kind: found.kind, line: found.kind === 'same' ? start + line - oldStarts[at]! : start };
	};
}

function linesOf(text: string): readonly SparsePiece[] {
	const lines = text.split('\n');
	const last = lines.pop()!;
	return [
		...lines.map((each) => ({ kind: 'line', text: each, hasLineEnd: true, base: undefined }) as const),
		...(last === '' ? [] : [{ kind: 'line', text: last, hasLineEnd: false, base: undefined } as const]),
	];
}

function keyOf(piece: SparsePiece): string {
	return piece.kind === 'gap' ? `gap ${piece.from} ${piece.to}` : ` ${piece.text}${piece.hasLineEnd ? '' : '\n'}`;
}

/** First line of each piece, and the line after the last. */
function startsOf(pieces: readonly SparsePiece[]): readonly number[] {
	const starts = [1];
	for (const piece of pieces) {
		const length =
			piece.kind === 'line' ? 1 : piece.to === undefined ? Number.POSITIVE_INFINITY : piece.to - piece.from + 1;
		starts.push(starts.at(-1)! + length);
	}
	return starts;
}

/** Index of the piece with a line; the number of pieces for a line after the last. */
function pieceAt(starts: readonly number[], line: number): number {
	let [low, high] = [0, starts.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (starts[middle]! <= line) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low - 1;
}
