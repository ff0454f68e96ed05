import type { TextPattern } from './textQuery.ts';

/** A matching line. UTF-16 positions; lines and columns count from 0. */
export interface FoundLine {
	readonly line: number;
	/** Start of the first match in the line. */
	readonly column: number;
	/** End of the first match; equal to `column` for an empty match. */
	readonly endColumn: number;
	/** The line, or an excerpt around the first match. */
	readonly text: string;
	/** Matches within `text`. */
	readonly ranges: readonly (readonly [start: number, end: number])[];
}

export type FileMatches =
	| { readonly kind: 'binary' }
	/** `isCut`: more lines match than requested. */
	| { readonly kind: 'lines'; readonly lines: readonly FoundLine[]; readonly isCut: boolean };

/** Excerpt length, and its part before the match. */
const shownLine = 400;
const shownBefore = 60;
/** Maximum matches per line. */
const mostRanges = 50;
/** Git checks the same number of bytes for NUL to detect binary files. */
const lookedForNul = 8000;

/**
 * Searches a file by lines. A hostile pattern may take forever, so run this in a thread. Splits lines like the editor,
 * so that positions agree.
 */
export function searchText(bytes: Uint8Array, { source, flags }: TextPattern, mostLines: number): FileMatches {
	const text = textOf(bytes);
	if (text === undefined) {
		return { kind: 'binary' };
	}
	const pattern = new RegExp(source, flags);
	const lines: FoundLine[] = [];
	let number = 0;
	// The last part is empty after a final line end.
	const parts = text.split(/\r\n|\r|\n/);
	for (const line of parts.at(-1) === '' ? parts.slice(0, -1) : parts) {
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

/** `undefined` for a binary file. Only a byte order mark makes a text with NULs valid. */
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
			// Advance after an empty match, and over a whole surrogate pair.
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

/** A message to the search thread. */
export interface TextSearchQuestion {
	readonly bytes: Uint8Array;
	readonly pattern: TextPattern;
	readonly mostLines: number;
}

export function searchAnswerer(): (question: TextSearchQuestion) => FileMatches {
	return ({ bytes, pattern, mostLines }) => searchText(bytes, pattern, mostLines);
}
