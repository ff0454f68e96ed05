import type { Hunk } from './fileDiff.ts';
import type { HunkLine } from './hunkLines.ts';

/** The two sides of a hunk, with their line ends. */
export interface HunkPattern {
	readonly old: readonly string[];
	readonly fresh: readonly string[];
}

/** Separates a hunk's lines into its two sides. */
export function patternOf(lines: Iterable<HunkLine>): HunkPattern {
	const old = new Array<string>();
	const fresh = new Array<string>();
	for (const { kind, text, hasLineEnd, start, end } of lines) {
		// Git drops an empty line without a sign in front of the end-of-file marker.
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

/** The line from 0 that a side of the hunk header states. A side without lines states the line in front of it. */
export function statedPlace(start: number, lines: number): number {
	return lines === 0 ? start : Math.max(0, start - 1);
}

/** The number of lines that a hunk adds to the file. */
export function growthOf({ oldLines, newLines }: Hunk): number {
	return newLines - oldLines;
}
