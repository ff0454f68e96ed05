import type { Hunk } from '../patch/fileDiff.ts';
import { hunkLines, type HunkLine } from '../patch/hunkLines.ts';
import type { ShownLine } from './shownLines.ts';

/** Lines that a patch leaves out, in front of a hunk or behind the last one. */
export interface Gap {
	/** How many; `undefined` behind the last hunk, and where the headers contradict each other. */
	readonly lines: number | undefined;
	/** Numbers of the lines that follow, before and after the patch; `undefined` behind the last hunk. */
	readonly next: { readonly before: number; readonly after: number } | undefined;
	/** What the header of the hunk that follows says behind its second `@@`. */
	readonly section: string;
	/** There are as many lines for it as it leaves out, so that the editor's numbers of lines are those of the file. */
	readonly isCounted: boolean;
}

/** For so many left-out lines of a file there is a line each. */
const mostLeftOut = 10_000;

/** Stands for a left-out line; the last one of a gap says what the gap is. */
const leftOut = '⋯';

/** As git writes it. */
const endMarker = '\\ No newline at end of file';

/** One side of a file, as far as the patch shows it. */
export interface DiffSide {
	readonly text: string;
	/** Numbers from 0 of the lines that stand for a gap. They are the same lines on both sides. */
	readonly gaps: readonly number[];
	/** The lines of the patch that it shows, in their order. */
	readonly lines: readonly ShownLine[];
}

/** A file before and after a patch. */
export interface DiffSides {
	readonly before: DiffSide;
	readonly after: DiffSide;
}

export interface DiffSidesOptions {
	/** The patch shows the file from its first line to its last, as it does when it adds or deletes it. */
	readonly isWhole: boolean;
	readonly gapText: (gap: Gap) => string;
}

/**
 * The two sides of a file made from nothing but the hunks: removed and unchanged lines on one, added and unchanged ones
 * on the other, and as many lines for each gap as it leaves out. Where headers contradict each other, or leave out very
 * many, there is one line for each. Characters that would end a line elsewhere than the patch does, or that would make the
 * editor take the text for a binary file, are written out.
 */
export function diffSides(text: string, hunks: readonly Hunk[], { isWhole, gapText }: DiffSidesOptions): DiffSides {
	const before = new SideMaker(!isWhole);
	const after = new SideMaker(!isWhole);
	const line = lineWriter(text, hunks);
	const gaps = isWhole ? [] : gapsOf(hunks);
	const isCounted = sum(gaps.map((gap) => gap.lines)) <= mostLeftOut;
	for (const [index, hunk] of hunks.entries()) {
		const gap = gaps[index];
		if (gap) {
			const said = gapText({ ...gap, isCounted });
			[before, after].forEach((side) => side.gap(said, isCounted ? gap.lines : Math.min(1, gap.lines ?? 1)));
		}
		for (const each of hunkLines(text, hunk)) {
			if (each.kind !== 'added') {
				before.hunkLine(line(each.text), each, index);
			}
			if (each.kind !== 'removed') {
				after.hunkLine(line(each.text), each, index);
			}
		}
	}
	const last = hunks.at(-1);
	if (last && !isWhole && !isToEnd(last) && before.mayGoOn && after.mayGoOn) {
		const rest = gapText({ lines: undefined, next: undefined, section: '', isCounted: false });
		[before, after].forEach((side) => side.gap(rest));
	}
	return { before: before.side(), after: after.side() };
}

class SideMaker {
	readonly #lines: string[] = [];
	readonly #gaps: number[] = [];
	readonly #shown: ShownLine[] = [];
	readonly #hasMarker: boolean;
	#hasLineEnd = true;

	/** `hasMarker`: shows git's marker behind a last line without a line feed. */
	constructor(hasMarker: boolean) {
		this.#hasMarker = hasMarker;
	}

	hunkLine(text: string, { kind, start, end, hasLineEnd }: HunkLine, hunk: number): void {
		this.#shown.push({ line: this.#lines.length, kind, hunk, start, end });
		this.#line(text, hasLineEnd);
		if (!hasLineEnd && this.#hasMarker) {
			this.#lines.push(endMarker);
		}
	}

	#line(text: string, hasLineEnd: boolean): void {
		this.#lines.push(text);
		this.#hasLineEnd = hasLineEnd;
	}

	gap(text: string, lines = 1): void {
		for (let left = lines; left > 0; left -= 1) {
			this.#gaps.push(this.#lines.length);
			this.#line(left === 1 ? text : leftOut, true);
		}
	}

	/** More of the file may follow: the last line has a line feed. */
	get mayGoOn(): boolean {
		return this.#hasLineEnd;
	}

	side(): DiffSide {
		const text = this.#lines.join('\n');
		return {
			text: this.#lines.length > 0 && (this.#hasLineEnd || this.#hasMarker) ? `${text}\n` : text,
			gaps: this.#gaps,
			lines: this.#shown,
		};
	}
}

/** Git applies a hunk that has context only in front of its changes at the end of the file. */
function isToEnd({ leading, trailing }: Hunk): boolean {
	return leading > 0 && trailing === 0;
}

/** First line of a hunk on one side. A hunk without lines there stands behind the line that it names. */
function firstLine(start: number, lines: number): number {
	return lines === 0 ? start + 1 : start;
}

/** What lies in front of each hunk. */
function gapsOf(hunks: readonly Hunk[]): readonly Omit<Gap, 'isCounted'>[] {
	return hunks.map((hunk, index) => gapBefore(hunk, hunks[index - 1]));
}

/** More than any limit where one is unknown. */
function sum(counts: readonly (number | undefined)[]): number {
	return counts.reduce<number>((total, count = Infinity) => total + count, 0);
}

function gapBefore(hunk: Hunk, last: Hunk | undefined): Omit<Gap, 'isCounted'> {
	const next = {
		before: firstLine(hunk.oldStart, hunk.oldLines),
		after: firstLine(hunk.newStart, hunk.newLines),
	};
	const skippedBefore = next.before - (last ? firstLine(last.oldStart, last.oldLines) + last.oldLines : 1);
	const skippedAfter = next.after - (last ? firstLine(last.newStart, last.newLines) + last.newLines : 1);
	const isSound = skippedBefore === skippedAfter && skippedBefore >= 0;
	return { lines: isSound ? skippedBefore : undefined, next, section: hunk.section };
}

/** Where every line ends with CR and LF, the file is written so, and its lines are lines all the same. */
function lineWriter(text: string, hunks: readonly Hunk[]): (line: string) => string {
	const isCrlf = hunks.every((hunk) => everyLineEndsWithCr(text, hunk));
	return (line) => {
		const whole = isCrlf && line.endsWith('\r') ? line.slice(0, -1) : line;
		return writtenOut(whole);
	};
}

function everyLineEndsWithCr(text: string, hunk: Hunk): boolean {
	for (const line of hunkLines(text, hunk)) {
		if (line.hasLineEnd && !line.text.endsWith('\r')) {
			return false;
		}
	}
	return true;
}

// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const misleading = /[\0\r\u2028\u2029]/;

/** A line with those characters written out that the editor would take for the end of a line or for binary content. */
export function writtenOut(line: string): string {
	return misleading.test(line)
		? line
				.replaceAll('\0', '\u2400')
				.replaceAll('\r', '\u240D')
				.replaceAll('\u2028', '⟨U+2028⟩')
				.replaceAll('\u2029', '⟨U+2029⟩')
		: line;
}
