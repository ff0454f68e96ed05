import type { HunkLine } from 'patchmail/patch/hunkLines.ts';

/** A document line that shows a patch line. */
export interface ShownLine {
	/** 0-based document line. */
	readonly line: number;
	readonly kind: HunkLine['kind'];
	/** Index of its hunk in the file. */
	readonly hunk: number;
	/**
	 * UTF-16 offsets in the patch's `diffText`, with the sign and without the line end, as in `LinePlace` of `review`.
	 */
	readonly start: number;
	readonly end: number;
}

/**
 * The document line for an offset of the patch's `diffText`, counting the sign; `undefined` if the document lacks it.
 */
export function shownLineOf(lines: readonly ShownLine[], offset: number): ShownLine | undefined {
	// Binary search: ends only grow.
	let [from, to] = [0, lines.length];
	while (from < to) {
		const middle = (from + to) >> 1;
		const line = lines[middle];
		if (line && line.end >= offset) {
			to = middle;
		} else {
			from = middle + 1;
		}
	}
	const found = lines[from];
	return found && found.start <= offset ? found : undefined;
}
