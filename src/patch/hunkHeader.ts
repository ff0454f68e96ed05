import { lineEnd } from './textLines.ts';

/** The numbers of a hunk's header, and where its line ends. */
export interface HunkHeader {
	readonly oldStart: number;
	readonly oldLines: number;
	readonly newStart: number;
	readonly newLines: number;
	readonly section: string;
	/** Behind the line of the header. */
	readonly end: number;
}

const zero = 0x30;
const nine = 0x39;
const comma = 0x2c;

/** Whether a line that begins at `at` begins like the header of a hunk; its numbers may still be unreadable. */
export function looksLikeHunk(text: string, at: number): boolean {
	return text.charCodeAt(at) === 0x40 && text.startsWith('@@ -', at);
}

/** Reads `@@ -oldStart,oldLines +newStart,newLines @@ section`; a missing count is 1. `undefined` when it is not one. */
export function hunkHeader(text: string, at: number): HunkHeader | undefined {
	if (!looksLikeHunk(text, at)) {
		return undefined;
	}
	const cursor: Cursor = { text, at: at + 4 };
	const oldStart = numberAt(cursor);
	const oldLines = linesAt(cursor);
	const isSplit = text.startsWith(' +', cursor.at);
	cursor.at += 2;
	const newStart = numberAt(cursor);
	const newLines = linesAt(cursor);
	if (!isSplit || Math.min(oldStart, oldLines, newStart, newLines) < 0 || !text.startsWith(' @@', cursor.at)) {
		return undefined;
	}
	const end = lineEnd(text, cursor.at);
	const section = sectionOf(text, cursor.at + 3, end);
	return { oldStart, oldLines, newStart, newLines, section, end: Math.min(end + 1, text.length) };
}

/** A place in a text that moves on as numbers are read. */
interface Cursor {
	readonly text: string;
	at: number;
}

/** The count behind a comma. */
function linesAt(cursor: Cursor): number {
	if (cursor.text.charCodeAt(cursor.at) !== comma) {
		return 1;
	}
	cursor.at++;
	return numberAt(cursor);
}

/** -1 where no number stands. More than 15 digits are no number of lines. */
function numberAt(cursor: Cursor): number {
	const start = cursor.at;
	let value = 0;
	let code = cursor.text.charCodeAt(start);
	while (code >= zero && code <= nine) {
		value = value * 10 + code - zero;
		cursor.at++;
		code = cursor.text.charCodeAt(cursor.at);
	}
	const digits = cursor.at - start;
	return digits === 0 || digits > 15 ? -1 : value;
}

function sectionOf(text: string, from: number, end: number): string {
	const start = text.charCodeAt(from) === 0x20 ? from + 1 : from;
	const isCarriage = end > start && text.charCodeAt(end - 1) === 0x0d;
	return start >= end ? '' : text.slice(start, isCarriage ? end - 1 : end);
}
