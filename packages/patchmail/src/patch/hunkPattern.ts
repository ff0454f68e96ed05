import type { Hunk } from './fileDiff.ts';
import type { HunkLine } from './hunkLines.ts';

/** The two sides of a hunk, with their line ends. */
export interface HunkPattern {
	readonly old: readonly string[];
	readonly fresh: readonly string[];
}

export function patternOf(lines: Iterable<HunkLine>): HunkPattern {
	const old = new Array<string>();
	const fresh = new Array<string>();
	for (const { kind, text, hasLineEnd, start, end } of lines) {
		// Git drops an empty line without a sign before an end-of-file marker.
		if (!hasLineEnd && start === end) {
			continue;
		}
		const line = hasLineEnd ? `${text}\n` : text;
		if (kind !== 'added') {
			old.push(line);
		}
		if (kind !== 'removed') {
			fresh.push(line);
		}
	}
	return { old, fresh };
}

/** Zero-based first line of one side, from its hunk header. A side without lines states the preceding line. */
export function statedPlace(start: number, lines: number): number {
	return lines === 0 ? start : Math.max(0, start - 1);
}

/** The number of lines that a hunk adds to the file. */
export function growthOf({ oldLines, newLines }: Hunk): number {
	return newLines - oldLines;
}
