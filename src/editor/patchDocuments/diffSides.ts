import type { Hunk, BinaryData, DiffContent } from 'patchmail/patch/fileDiff.ts';
import { hunkLines, type HunkLine } from 'patchmail/patch/hunkLines.ts';
import type { ShownLine } from './shownLines.ts';
import { binaryContent } from 'patchmail/patch/binaryContent.ts';

/** Lines outside the hunks of a patch: before a hunk, or after the last one. */
export interface Gap {
	/** Number of lines; `undefined` after the last hunk, and for contradictory headers. */
	readonly lines: number | undefined;
	/** Line numbers after the gap, before and after the patch; `undefined` after the last hunk. */
	readonly next: { readonly before: number; readonly after: number } | undefined;
	/** Text behind the second `@@` of the next hunk. */
	readonly section: string;
	/** True if each skipped line has a placeholder, so the editor's line numbers match the file's. */
	readonly isCounted: boolean;
}

/** Maximum total of placeholder lines per file. */
const mostLeftOut = 10_000;

/** Placeholder of a skipped line. The last one of a gap describes the gap. */
const leftOut = '⋯';

/** Git's spelling. */
const endMarker = '\\ No newline at end of file';

/** One side of a file, reconstructed from the patch. */
export interface DiffSide {
	readonly text: string;
	/** 0-based placeholder lines, identical on both sides. */
	readonly gaps: readonly number[];
	/** The patch lines shown, in order. */
	readonly lines: readonly ShownLine[];
}

export interface DiffSides {
	readonly before: DiffSide;
	readonly after: DiffSide;
}

/**
 * Builds both sides of a file from the hunks alone: removed and context lines on one, added and context lines on the
 * other, plus a placeholder per skipped line. With contradictory headers or too many skipped lines, a gap has one
 * placeholder. Replaces characters that would shift lines or make the editor treat the text as binary. `isWhole`: the
 * patch contains the complete file, as additions and deletions do.
 */
export function diffSides(
	text: string,
	hunks: readonly Hunk[],
	isWhole: boolean,
	gapText: (gap: Gap) => string,
): DiffSides {
	const before = new SideMaker(!isWhole);
	const after = new SideMaker(!isWhole);
	// A CRLF file drops the CR of each line, so line breaks stay regular.
	const isCrlf = hunks.every((hunk) => everyLineEndsWithCr(text, hunk));
	const line = (each: string): string => writtenOut(isCrlf && each.endsWith('\r') ? each.slice(0, -1) : each);
	const gaps = isWhole ? [] : hunks.map((hunk, index) => gapBefore(hunk, hunks[index - 1]));
	const isCounted = gaps.reduce((total, { lines = Infinity }) => total + lines, 0) <= mostLeftOut;
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
	// Git applies a hunk with only leading context at the end of the file.
	const isToEnd = last && last.leading > 0 && last.trailing === 0;
	if (last && !isWhole && isToEnd !== true && before.mayGoOn && after.mayGoOn) {
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

	/** `hasMarker`: shows git's marker after a last line without a line feed. */
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

	/** The file may continue: the last line has a line feed. */
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

/** Most lines that a patch leaves out in one place, before or between its hunks. */
export function longestGap(hunks: readonly Hunk[]): number {
	return hunks.reduce((most, hunk, index) => Math.max(most, gapBefore(hunk, hunks[index - 1]).lines ?? 0), 0);
}

/** First line of a hunk on one side. An empty hunk follows the line in its header. */
function firstLine(start: number, lines: number): number {
	return lines === 0 ? start + 1 : start;
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

/** Replaces characters that the editor would take for a line end or for binary content. */
export function writtenOut(line: string): string {
	return misleading.test(line)
		? line
				.replaceAll('\0', '\u2400')
				.replaceAll('\r', '\u240D')
				.replaceAll('\u2028', '⟨U+2028⟩')
				.replaceAll('\u2029', '⟨U+2029⟩')
		: line;
}

/** Diff of a binary file. */
export type BinaryDiff = Extract<DiffContent, { readonly kind: 'binary' }>;

/** Contents before and after; `undefined` unless the patch holds or implies them. */
interface BinarySides {
	readonly before: Uint8Array | undefined;
	readonly after: Uint8Array | undefined;
}

/** Decodes literal data first, then deltas against it. */
export function binarySides(text: string, { forward, reverse }: BinaryDiff): BinarySides {
	const after = whole(text, forward);
	const before = whole(text, reverse);
	return { before: before ?? changed(text, reverse, after), after: after ?? changed(text, forward, before) };
}

function whole(text: string, data: BinaryData | undefined): Uint8Array | undefined {
	return data?.method === 'literal' ? decoded(text, data, undefined) : undefined;
}

function changed(text: string, data: BinaryData | undefined, other: Uint8Array | undefined): Uint8Array | undefined {
	return data?.method === 'delta' && other ? decoded(text, data, other) : undefined;
}

function decoded(text: string, data: BinaryData, other: Uint8Array | undefined): Uint8Array | undefined {
	const outcome = binaryContent(text, data, other);
	return outcome.kind === 'content' ? outcome.content : undefined;
}
