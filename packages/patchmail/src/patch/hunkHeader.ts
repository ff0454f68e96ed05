import { lineEnd } from './textLines.ts';

export interface HunkHeader {
	readonly oldStart: number;
	readonly oldLines: number;
	readonly newStart: number;
	readonly newLines: number;
	readonly section: string;
	/** Offset of the next line. */
	readonly end: number;
}

const zero = 0x30;
const nine = 0x39;
const comma = 0x2c;

/** True for a line that begins like a hunk header; its numbers may be invalid. */
export function looksLikeHunk(text: string, at: number): boolean {
	return text.charCodeAt(at) === 0x40 && text.startsWith('@@ -', at);
}

/** Reads `@@ -oldStart,oldLines +newStart,newLines @@ section`; a missing count is 1. `undefined` for other lines. */
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
	const from = cursor.at + 3;
	const start = text.charCodeAt(from) === 0x20 ? from + 1 : from;
	const isCarriage = end > start && text.charCodeAt(end - 1) === 0x0d;
	const section = start >= end ? '' : text.slice(start, isCarriage ? end - 1 : end);
	return { oldStart, oldLines, newStart, newLines, section, end: Math.min(end + 1, text.length) };
}

interface Cursor {
	readonly text: string;
	at: number;
}

/** The count after a comma; 1 without a comma. */
function linesAt(cursor: Cursor): number {
	if (cursor.text.charCodeAt(cursor.at) !== comma) {
		return 1;
	}
	cursor.at++;
	return numberAt(cursor);
}

/** -1 without a number, and for more than 15 digits, which may exceed safe integers. */
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
