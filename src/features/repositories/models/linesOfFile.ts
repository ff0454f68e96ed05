import { visible } from '../../../text/visible.ts';

/** Some lines of a file, as many as there is room for. */
export interface SomeLines {
	readonly lines: readonly string[];
	/** Number of the first one, from 1. */
	readonly first: number;
	/** Number of lines in the file, as far as counted. */
	readonly total: number;
	/** False if counting stopped before the end of a long file. */
	readonly isCounted: boolean;
	/** True if a line exceeded the room and lost its end. */
	readonly isCut: boolean;
}

const lineFeed = 10;
/** Counting more lines would block the extension host noticeably. */
const mostLines = 1_000_000;
const utf8 = new TextEncoder();

/**
 * Lines `first` to `last` of a UTF-8 text that fit into `roomBytes`, including escaped hidden characters and the
 * frame's mark on each line. Counts other lines without decoding.
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

/** An escaped hidden character takes up to twelve bytes, any other up to four. */
function beginning(line: string, roomBytes: number): string {
	return line.slice(0, Math.floor(roomBytes / 14)).toWellFormed();
}
