import type { Hunk } from './fileDiff.ts';
import type { HunkLine } from './hunkLines.ts';

/** Lines that a hunk puts in the place of others. */
export interface HunkChange {
	/** Counted from the first line of the pattern. */
	readonly from: number;
	readonly removed: number;
	/** With their line ends. */
	readonly added: readonly string[];
}

/** What a hunk looks for, and what it does there. */
export interface HunkPattern {
	/** Context and removed lines, with their line ends. */
	readonly old: readonly string[];
	/** How many lines of context it begins and ends with. */
	readonly prefix: number;
	readonly suffix: number;
	/** Place that the header states, from 0. */
	readonly first: number;
	/** By how many lines the header states another place in the new text than in the old one. */
	readonly shift: number;
	readonly changes: readonly HunkChange[];
	/** The last line that it puts in has no line end, so that the file ends there. */
	readonly endsText: boolean;
	/** Lines that it puts in, less those that it takes away. */
	readonly growth: number;
}

/** Makes a hunk's lines into what has to be found and what has to be done. */
export function patternOf({ oldStart, oldLines, newStart, newLines }: Hunk, lines: Iterable<HunkLine>): HunkPattern {
	const old = new Array<string>();
	const changes = new Array<{ from: number; removed: number; added: string[] }>();
	let prefix = 0;
	let suffix = 0;
	let endsText = false;
	for (const { kind, text, hasLineEnd } of lines) {
		endsText = kind === 'added' && !hasLineEnd;
		const line = hasLineEnd ? `${text}\n` : text;
		if (kind === 'context') {
			old.push(line);
			suffix++;
			prefix += changes.length === 0 ? 1 : 0;
			continue;
		}
		let change = changes.at(-1);
		if (change === undefined || suffix > 0) {
			change = { from: old.length, removed: 0, added: [] };
			changes.push(change);
		}
		suffix = 0;
		if (kind === 'removed') {
			old.push(line);
			change.removed++;
		} else {
			change.added.push(line);
		}
	}
	const first = statedPlace(oldStart, oldLines);
	const shift = statedPlace(newStart, newLines) - first;
	return { old, prefix, suffix, first, shift, changes, endsText, growth: newLines - oldLines };
}

/** From 0. A side without any line states the line that stands before it. */
export function statedPlace(start: number, lines: number): number {
	return lines === 0 ? start : Math.max(0, start - 1);
}
