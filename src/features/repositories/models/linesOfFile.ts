import { visible } from '../../../text/visible.ts';

/** Some lines of a file, as many as there is room for. */
export interface SomeLines {
	readonly lines: readonly string[];
	/** Number of the first one, from 1. */
	readonly first: number;
	/** How many lines the whole file has, as far as they were counted. */
	readonly total: number;
	/** False when the file has so many lines that the rest of them was not looked at. */
	readonly isCounted: boolean;
	/** A line was longer than all the room, and only its beginning is there. */
	readonly isCut: boolean;
}

const lineFeed = 10;
/** Counting more of them would be felt. */
const mostLines = 1_000_000;
const utf8 = new TextEncoder();

/**
 * Lines of a text in UTF-8, from `first` to `last`, as far as they fit into `roomBytes` once hidden characters are
 * written out and the frame for remote text has marked each line. Other lines are counted and never decoded.
 */
export function linesOfFile(
	bytes: Uint8Array,
	{ first, last }: { readonly first: number; readonly last: number },
	roomBytes: number,
): SomeLines {
	const lines: string[] = [];
	let room = roomBytes;
	let isCut = false;
	let total = 0;
	let start = 0;
	while (start < bytes.length && total < mostLines) {
		const found = bytes.indexOf(lineFeed, start);
		const end = found === -1 ? bytes.length : found;
		total += 1;
		if (total >= first && total <= last && room > 0) {
			const line = decoded(bytes.subarray(start, Math.min(end, start + roomBytes)));
			room -= framedBytes(line);
			if (room >= 0) {
				lines.push(line);
			} else if (lines.length === 0) {
				lines.push(beginning(line, roomBytes));
				isCut = true;
			}
		}
		start = end + 1;
	}
	return { lines, first, total, isCounted: start >= bytes.length, isCut };
}

/** Bytes that are no UTF-8 become the replacement character; a break of two characters is one. */
function decoded(bytes: Uint8Array): string {
	return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replace(/\r$/, '');
}

/** Each break that a reader may see one in gets a mark of its own. */
function framedBytes(line: string): number {
	return utf8.encode(visible(line)).byteLength + 3 * line.split(/[\v\f\r\u0085\u2028\u2029]/).length;
}

/** A hidden character takes up to twelve bytes once it is written out, and every other one four at most. */
function beginning(line: string, roomBytes: number): string {
	return line.slice(0, Math.floor(roomBytes / 14)).toWellFormed();
}
