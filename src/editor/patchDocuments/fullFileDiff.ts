import { latest } from '@forge-desk/base/latest.ts';
import type { Hunk } from 'patchmail/patch/fileDiff.ts';
import { hunkLines } from 'patchmail/patch/hunkLines.ts';
import { growthOf, statedPlace } from 'patchmail/patch/hunkPattern.ts';
import { charsetOf, decodeBytes, isUtf8 } from 'patchmail/mail/charsets.ts';
import type { FittedSides, WholeSides } from 'patchmail/patch/wholeFile.ts';
import { writtenOut, type DiffSides } from './diffSides.ts';
import type { ShownLine } from './shownLines.ts';

/** Text of one side of a whole file, with its patch lines. */
export type FullFileSide = Pick<DiffSides['before'], 'text' | 'lines'>;

export interface BothSides {
	readonly before: FullFileSide;
	readonly after: FullFileSide;
}

const mostRecent = 4;

/** `fullFileDiff` with a small cache: the editor requests both sides, each more than once. */
export function recentFullFileDiff(): typeof fullFileDiff {
	const recent = latest<FittedSides, BothSides>(mostRecent);
	return (text, hunks, of, charset) => recent(of, () => fullFileDiff(text, hunks, of, charset));
}

/**
 * Display texts of a whole file, with the file's own line numbers. Replaces characters that would shift lines or make
 * the editor treat the text as binary. `charset`: the mail's charset, for contents other than UTF-8. Takes linear time.
 */
export function fullFileDiff(text: string, hunks: readonly Hunk[], sides: FittedSides, charset: string): BothSides {
	const [old, fresh] = shownTexts(sides, charset);
	const [oldLines, newLines] = [new LinePlacer(lineCount(old)), new LinePlacer(lineCount(fresh))];
	let growth = 0;
	const placed = hunks.map((hunk, index) => ({
		hunk,
		index,
		start: statedPlace(hunk.oldStart, hunk.oldLines) + (sides.hunks[index]?.offset ?? 0),
	}));
	for (const { hunk, index, start: first } of placed.toSorted((one, other) => one.start - other.start)) {
		let at = first;
		let newAt = at + growth;
		for (const { kind, start, end } of hunkLines(text, hunk)) {
			const line = { kind, hunk: index, start, end };
			if (kind !== 'added') {
				oldLines.place(at, line);
				at += 1;
			}
			if (kind !== 'removed') {
				newLines.place(newAt, line);
				newAt += 1;
			}
		}
		growth += growthOf(hunk);
	}
	return { before: { text: old, lines: oldLines.placed }, after: { text: fresh, lines: newLines.placed } };
}

/** Lines in order. Context ignored by fuzz may lie outside the file; it is dropped. */
class LinePlacer {
	readonly placed: ShownLine[] = [];
	readonly #count: number;

	constructor(count: number) {
		this.#count = count;
	}

	place(line: number, shown: Omit<ShownLine, 'line'>): void {
		if (line < 0 || line >= this.#count) {
			return;
		}
		this.placed.push({ ...shown, line });
	}
}

/** Drops CRs only if every line on both sides ends with CRLF. */
function shownTexts({ before, after }: WholeSides, charset: string): readonly [string, string] {
	const contents = [before ?? new Uint8Array(), after ?? new Uint8Array()];
	const known = charsetOf(contents.every(isUtf8) ? 'utf-8' : charset);
	const texts = contents.map((content) => decodeBytes(content, known));
	const isCrlf = texts.every((text) => !/(?:^|[^\r])\n/.test(text));
	const [old, fresh] = texts.map((text) => writtenOut(isCrlf ? text.replaceAll('\r\n', '\n') : text));
	return [old ?? '', fresh ?? ''];
}

/** Ignores an empty last line. */
function lineCount(text: string): number {
	const feeds = text.split('\n').length - 1;
	return text === '' || text.endsWith('\n') ? feeds : feeds + 1;
}
