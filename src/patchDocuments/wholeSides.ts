import type { Hunk } from '../patch/fileDiff.ts';
import { hunkLines } from '../patch/hunkLines.ts';
import { growthOf, statedPlace } from '../patch/hunkPattern.ts';
import { charsetOf, decodeBytes, isUtf8 } from '../mail/charsets.ts';
import type { FittedSides, WholeSides } from '../patch/wholeFile.ts';
import { writtenOut, type DiffSides } from './diffSides.ts';
import type { ShownLine } from './shownLines.ts';

/** The text of one side of a whole file, and which of its lines stand in the patch. */
export type WholeSide = Pick<DiffSides['before'], 'text' | 'lines'>;

export interface BothSides {
	readonly before: WholeSide;
	readonly after: WholeSide;
}

const mostRecent = 4;

/** Makes sides, and holds the last few: the editor asks for each more than once, and for both. */
export function recentWholeSides(): typeof wholeSides {
	const recent: { readonly of: FittedSides; readonly sides: BothSides }[] = [];
	return (text, hunks, of, charset) => {
		const known = recent.find((each) => each.of === of);
		if (known) {
			return known.sides;
		}
		const sides = wholeSides(text, hunks, of, charset);
		recent.unshift({ of, sides });
		recent.length = Math.min(recent.length, mostRecent);
		return sides;
	};
}

/**
 * The two sides of a whole file as they are shown: line by line those of the file. Characters that would end a line
 * elsewhere, or that would make the editor take the text for a binary file, are written out. `charset`: the one that the
 * mail declares, for contents that are no UTF-8. Takes linear time.
 */
export function wholeSides(text: string, hunks: readonly Hunk[], sides: FittedSides, charset: string): BothSides {
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

/** Lines in order. Ignored context may lie outside of the file; it has no place. */
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

/** Only where all lines of both end with CR and LF the CRs are left out. */
function shownTexts({ before, after }: WholeSides, charset: string): readonly [string, string] {
	const contents = [before ?? new Uint8Array(), after ?? new Uint8Array()];
	const known = charsetOf(contents.every(isUtf8) ? 'utf-8' : charset);
	const texts = contents.map((content) => decodeBytes(content, known));
	const isCrlf = texts.every((text) => !/(?:^|[^\r])\n/.test(text));
	const [old, fresh] = texts.map((text) => writtenOut(isCrlf ? text.replaceAll('\r\n', '\n') : text));
	return [old ?? '', fresh ?? ''];
}

/** Without what stands behind the last line feed, where that is nothing. */
function lineCount(text: string): number {
	const feeds = text.split('\n').length - 1;
	return text === '' || text.endsWith('\n') ? feeds : feeds + 1;
}
