import type { Hunk } from '../patch/fileDiff.ts';
import { signAt } from '../patch/readHunks.ts';
import { lineAt, nextLine } from '../patch/textLines.ts';

/** A hunk line with its sign, and its line number on each side that has it. */
export interface HunkRow {
	/** Offset in the text. */
	readonly at: number;
	/** Without its line end. */
	readonly text: string;
	readonly old: number | undefined;
	readonly fresh: number | undefined;
}

const plus = 0x2b;
const minus = 0x2d;
const backslash = 0x5c;

/** Lines of a hunk, without `\ No newline at end of file`. */
export function* hunkRows(text: string, hunk: Hunk): Generator<HunkRow, undefined> {
	let [before, after] = [firstLine(hunk.oldStart, hunk.oldLines), firstLine(hunk.newStart, hunk.newLines)];
	for (let at = hunk.start; at < hunk.end; at = nextLine(text, at)) {
		const sign = signAt(text, at);
		if (sign !== backslash) {
			const [isOld, isNew] = [sign !== plus, sign !== minus];
			yield { at, text: lineAt(text, at), old: isOld ? before : undefined, fresh: isNew ? after : undefined };
			before += isOld ? 1 : 0;
			after += isNew ? 1 : 0;
		}
	}
	return undefined;
}

/** An empty side refers to the line before. */
function firstLine(start: number, lines: number): number {
	return lines === 0 ? start + 1 : start;
}
