import type { Steps } from '@forge-desk/base/timeSlice.ts';

/** One text of a comparison. */
export interface ComparedText {
	/** Equal lines have equal numbers. */
	readonly lines: Int32Array;
	/** 1 for a changed line. */
	readonly changed: Uint8Array;
}

/** Indent in columns; -1 for a blank line. */
export type IndentOf = (line: number) => number;

/** Consecutive changed lines; empty between two unchanged lines. `end` is exclusive. */
interface Group {
	start: number;
	end: number;
}

/** Corresponding groups of both texts. */
interface Walk {
	readonly text: ComparedText;
	readonly other: ComparedText;
	readonly group: Group;
	readonly counterpart: Group;
}

const groupsAtOnce = 100;

/**
 * Chooses between equivalent positions of each group, like git. First merges groups. Then aligns a group with changes
 * of the other text, if possible. Otherwise slides it down, or with `indentOf` to the best cut by blank lines and
 * indents.
 */
export function* slideChanges(text: ComparedText, other: ComparedText, indentOf: IndentOf | undefined): Steps<void> {
	let settled = 0;
	const walk: Walk = { text, other, group: firstGroup(text), counterpart: firstGroup(other) };
	do {
		if (walk.group.end > walk.group.start) {
			settle(walk, indentOf);
			settled++;
			if (settled % groupsAtOnce === 0) {
				yield;
			}
		}
		toNext(other, walk.counterpart);
	} while (toNext(text, walk.group));
}

function firstGroup({ changed }: ComparedText): Group {
	const group = { start: 0, end: 0 };
	while (changed[group.end] === 1) {
		group.end++;
	}
	return group;
}

function toNext({ lines, changed }: ComparedText, group: Group): boolean {
	if (group.end >= lines.length) {
		return false;
	}
	group.start = group.end + 1;
	group.end = group.start;
	while (changed[group.end] === 1) {
		group.end++;
	}
	return true;
}

/** Moves the group one line up and merges it with a touching group; false if the lines differ. */
function slideUp({ text: { lines, changed }, other, group, counterpart }: Walk): boolean {
	if (group.start === 0 || lines[group.start - 1] !== lines[group.end - 1]) {
		return false;
	}
	changed[--group.start] = 1;
	changed[--group.end] = 0;
	while (group.start > 0 && changed[group.start - 1] === 1) {
		group.start--;
	}
	counterpart.end = counterpart.start - 1;
	counterpart.start = counterpart.end;
	while (counterpart.start > 0 && other.changed[counterpart.start - 1] === 1) {
		counterpart.start--;
	}
	return true;
}

function slideDown({ text: { lines, changed }, other, group, counterpart }: Walk): boolean {
	if (group.end >= lines.length || lines[group.start] !== lines[group.end]) {
		return false;
	}
	changed[group.start++] = 0;
	changed[group.end++] = 1;
	while (changed[group.end] === 1) {
		group.end++;
	}
	toNext(other, counterpart);
	return true;
}

function settle(walk: Walk, indentOf: IndentOf | undefined): void {
	const { group, counterpart } = walk;
	const isBesideChange = (): boolean => counterpart.end > counterpart.start;
	let size: number;
	let earliest: number;
	let hasNeighbour: boolean;
	do {
		size = group.end - group.start;
		while (slideUp(walk)) {
			// Slide up to the limit.
		}
		earliest = group.end;
		hasNeighbour = isBesideChange();
		while (slideDown(walk)) {
			hasNeighbour ||= isBesideChange();
		}
		// A merged group may slide further.
	} while (size !== group.end - group.start);
	if (group.end === earliest) {
		return;
	}
	if (hasNeighbour) {
		while (!isBesideChange() && slideUp(walk)) {
			// Slide up to the lowest position beside a change of the other text.
		}
	} else if (indentOf) {
		const best = bestEnd(walk.text.lines, group, earliest, indentOf);
		while (group.end > best && slideUp(walk)) {
			// Slide up to the best cut.
		}
	}
}

const mostSliding = 100;
const mostBlanks = 20;

function bestEnd(lines: Int32Array, { start, end }: Group, earliest: number, indentOf: IndentOf): number {
	const size = end - start;
	let best = -1;
	let bestScore: Score = { indent: 0, penalty: 0 };
	for (let at = Math.max(earliest, end - size - 1, end - mostSliding); at <= end; at++) {
		const [above, below] = [scoreOf(cutAt(lines, at - size, indentOf)), scoreOf(cutAt(lines, at, indentOf))];
		const [indent, penalty] = [above.indent + below.indent, above.penalty + below.penalty];
		const excess = weights.indent * Math.sign(indent - bestScore.indent) + penalty - bestScore.penalty;
		if (best === -1 || excess <= 0) {
			best = at;
			bestScore = { indent, penalty };
		}
	}
	return best;
}

/** Surroundings of a cut before a line. Indents are -1 without a non-blank line. */
interface CutAround {
	readonly isAtEnd: boolean;
	readonly indent: number;
	readonly blanksBefore: number;
	readonly indentBefore: number;
	readonly blanksAfter: number;
	readonly indentAfter: number;
}

function cutAt(lines: Int32Array, at: number, indentOf: IndentOf): CutAround {
	const isAtEnd = at >= lines.length;
	const [blanksBefore, indentBefore] = beside(lines, at, -1, indentOf);
	const [blanksAfter, indentAfter] = beside(lines, at, 1, indentOf);
	const indent = isAtEnd ? -1 : indentOf(lines[at]!);
	return { isAtEnd, indent, blanksBefore, indentBefore, blanksAfter, indentAfter };
}

/** Number of blank lines in one direction, and the indent of the next line. */
function beside(
	lines: Int32Array,
	at: number,
	step: 1 | -1,
	indentOf: IndentOf,
): readonly [blanks: number, indent: number] {
	let blanks = 0;
	for (let line = at + step; line >= 0 && line < lines.length; line += step) {
		const indent = indentOf(lines[line]!);
		if (indent !== -1) {
			return [blanks, indent];
		}
		blanks++;
		if (blanks === mostBlanks) {
			return [blanks, 0];
		}
	}
	return [blanks, -1];
}

/** Lower is better. */
interface Score {
	readonly indent: number;
	readonly penalty: number;
}

/** Git's weights. Its authors fitted them to cuts chosen by people. */
const weights = {
	startOfText: 1,
	endOfText: 21,
	blank: -30,
	blankAfter: 6,
	deeper: -4,
	deeperWithBlank: 10,
	outdent: 24,
	outdentWithBlank: 17,
	dedent: 23,
	dedentWithBlank: 17,
	indent: 60,
} as const;

function scoreOf(cut: CutAround): Score {
	const blanksAfter = cut.indent === -1 ? 1 + cut.blanksAfter : 0;
	const blanks = cut.blanksBefore + blanksAfter;
	const indent = cut.indent === -1 ? cut.indentAfter : cut.indent;
	const penalty =
		(cut.indentBefore === -1 && cut.blanksBefore === 0 ? weights.startOfText : 0) +
		(cut.isAtEnd ? weights.endOfText : 0) +
		weights.blank * blanks +
		weights.blankAfter * blanksAfter +
		stepPenalty(cut, indent, blanks > 0);
	return { indent, penalty };
}

function stepPenalty({ indentBefore, indentAfter }: CutAround, indent: number, hasBlank: boolean): number {
	if (indent === -1 || indentBefore === -1 || indent === indentBefore) {
		return 0;
	}
	if (indent > indentBefore) {
		return hasBlank ? weights.deeperWithBlank : weights.deeper;
	}
	// Lines like `else`, before more of the same block.
	if (indentAfter > indent) {
		return hasBlank ? weights.outdentWithBlank : weights.outdent;
	}
	return hasBlank ? weights.dedentWithBlank : weights.dedent;
}
