import type { HunkLine } from '../patch/hunkLines.ts';

/** A line of a document that shows a line of a patch. */
export interface ShownLine {
	/** In the document, from 0. */
	readonly line: number;
	readonly kind: HunkLine['kind'];
	/** Place of its hunk among those of the file. */
	readonly hunk: number;
	/** UTF-16 offsets in the `diffText` of the patch, sign included and line end not: those of `LinePlace` in `review`. */
	readonly start: number;
	readonly end: number;
}

/**
 * Where a document shows the line of a patch in which an offset of its `diffText` lies, the sign included; `undefined` where
 * it does not show it.
 */
export function shownLineOf(lines: readonly ShownLine[], offset: number): ShownLine | undefined {
	const found = lines[firstAt(lines, (each) => each.end >= offset)];
	return found && found.start <= offset ? found : undefined;
}

/** The place of the first one from which on all are so. */
function firstAt(lines: readonly ShownLine[], isSo: (line: ShownLine) => boolean): number {
	let [from, to] = [0, lines.length];
	while (from < to) {
		const middle = (from + to) >> 1;
		const line = lines[middle];
		if (line && isSo(line)) {
			to = middle;
		} else {
			from = middle + 1;
		}
	}
	return from;
}
