import type { TextPattern } from './textQuery.ts';

/** A line that holds what was looked for. Positions are UTF-16, lines and columns count from 0. */
export interface FoundLine {
	readonly line: number;
	/** Where the first match begins in the whole line. */
	readonly column: number;
	/** Where it ends; the same for a match of nothing, such as an empty line. */
	readonly endColumn: number;
	/** The line, or the part of a long one around the first match. */
	readonly text: string;
	/** Where in `text` matches stand. */
	readonly ranges: readonly (readonly [start: number, end: number])[];
}

/** What one file holds. */
export type FileMatches =
	| { readonly kind: 'binary' }
	/** `isCut`: there are more lines than were wanted. */
	| { readonly kind: 'lines'; readonly lines: readonly FoundLine[]; readonly isCut: boolean };

/** How much of a long line is shown, and how much of it before the match. */
const shownLine = 400;
const shownBefore = 60;
/** More in one line are not told apart. */
const mostRanges = 50;
/** As far as git looks for a NUL when it tells texts from everything else. */
const lookedForNul = 8000;

/**
 * Looks through a file line by line. A pattern made to do so may take for ever: run this where it can be ended. Lines end
 * where the editor ends them, so that places agree with its own.
 */
export function searchText(bytes: Uint8Array, { source, flags }: TextPattern, mostLines: number): FileMatches {
	const text = textOf(bytes);
	if (text === undefined) {
		return { kind: 'binary' };
	}
	const pattern = new RegExp(source, flags);
	const lines: FoundLine[] = [];
	let number = 0;
	for (const line of linesOf(text)) {
		const found = inLine(line, number, pattern);
		number += 1;
		if (!found) {
			continue;
		}
		if (lines.length === mostLines) {
			return { kind: 'lines', lines, isCut: true };
		}
		lines.push(found);
	}
	return { kind: 'lines', lines, isCut: false };
}

/** `undefined` for what is no text. Only a byte order mark tells that a text with NULs in it is one. */
function textOf(bytes: Uint8Array): string | undefined {
	const [first, second] = bytes;
	if (first === 0xff && second === 0xfe) {
		return new TextDecoder('utf-16le').decode(bytes);
	}
	if (first === 0xfe && second === 0xff) {
		return new TextDecoder('utf-16be').decode(bytes);
	}
	return bytes.subarray(0, lookedForNul).includes(0) ? undefined : new TextDecoder().decode(bytes);
}

/** What follows the last line end is a line only when something does. */
function linesOf(text: string): readonly string[] {
	const lines = text.split(/\r\n|\r|\n/);
	if (lines.at(-1) === '') {
		lines.pop();
	}
	return lines;
}

function inLine(line: string, number: number, pattern: RegExp): FoundLine | undefined {
	pattern.lastIndex = 0;
	const first = pattern.exec(line);
	if (!first) {
		return undefined;
	}
	const all: (readonly [start: number, end: number])[] = [];
	for (let match: RegExpExecArray | null = first; match && all.length < mostRanges; match = pattern.exec(line)) {
		const end = match.index + match[0].length;
		if (end > match.index) {
			all.push([match.index, end]);
		} else {
			// A match of nothing would be found for ever, and so would one that begins again inside of a character.
			const isPair = pattern.unicode && (line.codePointAt(end) ?? 0) > 0xffff;
			pattern.lastIndex = end + (isPair ? 2 : 1);
		}
	}
	const [column, endColumn] = all[0] ?? [first.index, first.index];
	const from = line.length > shownLine ? Math.max(0, Math.min(column - shownBefore, line.length - shownLine)) : 0;
	const text = line.slice(from, from + shownLine);
	const ranges = all
		.map(([start, end]) => [Math.max(0, start - from), Math.min(text.length, end - from)] as const)
		.filter(([start, end]) => start < end);
	return { line: number, column, endColumn, text, ranges };
}
