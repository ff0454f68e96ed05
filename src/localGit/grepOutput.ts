import { Buffer } from 'node:buffer';

/** A line that matches. */
export interface GrepMatch {
	readonly path: string;
	/** From 1 on. */
	readonly line: number;
	/** Where the first match begins, in UTF-16 units of the whole line, from 1 on. */
	readonly column: number;
	/** The line, or the piece of a long one around the match. */
	readonly text: string;
	/** Where `text` begins in the line, in UTF-16 units; 0 but for long lines. */
	readonly textStart: number;
}

/** So much of a line is shown, and so much of it before the match when it is longer. */
const mostText = 1000;
const mostBefore = 200;
/** Bytes of a line that are looked at; a match beyond them is told as one at their end. */
const mostLine = 1_000_000;

const newline = 0x0a;

/**
 * Reads `git grep --null --line-number --column` as it comes: `<commit>:<path>\0<line>\0<column>\0<text>\n`. A path may
 * hold line breaks and colons; nothing but NUL ends it. `prefix` is `<commit>:`.
 */
export function grepReader(prefix: string): (chunk: Buffer) => readonly GrepMatch[] {
	let rest: Buffer = Buffer.alloc(0);
	return (chunk) => {
		const found: GrepMatch[] = [];
		// Of a line without end only the beginning is kept.
		const from = rest.length < 2 * mostLine ? 0 : chunk.indexOf(newline);
		if (from < 0) {
			return [];
		}
		let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk.subarray(from)]);
		for (;;) {
			const pathEnd = bytes.indexOf(0);
			const end = pathEnd < 0 ? -1 : bytes.indexOf(newline, pathEnd);
			if (end < 0) {
				break;
			}
			const match = readMatch(bytes.subarray(0, end), pathEnd, prefix);
			if (match) {
				found.push(match);
			}
			bytes = bytes.subarray(end + 1);
		}
		rest = bytes;
		return found;
	};
}

function readMatch(record: Buffer, pathEnd: number, prefix: string): GrepMatch | undefined {
	const name = record.toString('utf8', 0, pathEnd);
	// Older ones write colons after the numbers.
	const numbers = /^(\d{1,10})[\0:](\d{1,10})[\0:]/.exec(record.toString('latin1', pathEnd + 1, pathEnd + 24));
	if (!name.startsWith(prefix) || !numbers) {
		return undefined;
	}
	const line = record.subarray(pathEnd + 1 + numbers[0].length, pathEnd + 1 + numbers[0].length + mostLine);
	const before = line.toString('utf8', 0, Number(numbers[2]) - 1).length;
	const whole = line.toString('utf8').replace(/\r$/, '');
	const textStart = whole.length <= mostText ? 0 : Math.max(0, before - mostBefore);
	return {
		path: name.slice(prefix.length),
		line: Number(numbers[1]),
		column: before + 1,
		text: whole.slice(textStart, textStart + mostText),
		textStart,
	};
}
