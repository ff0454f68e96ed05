import type { Damage, Hunk } from './fileDiff.ts';
import { hunkHeader, looksLikeHunk, type HunkHeader } from './hunkHeader.ts';
import { nextLine } from './textLines.ts';

/** The hunks of one file, and what is wrong with them. */
export interface HunksReading {
	readonly hunks: readonly Hunk[];
	readonly damage: readonly Damage[];
	readonly added: number;
	readonly removed: number;
	/** Behind the last of them. */
	readonly end: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;
const plus = 0x2b;
const minus = 0x2d;
const backslash = 0x5c;

/**
 * Reads the hunks that follow each other from `at`. The counts in a hunk's header decide where it ends, whatever its
 * lines look like. Each line is looked at once, so damaged text takes no longer than sound text.
 */
export function readHunks(text: string, at: number): HunksReading {
	const hunks = new Array<Hunk>();
	const damage = new Array<Damage>();
	let added = 0;
	let removed = 0;
	let end = at;
	if (text.startsWith('@@', at) && !text.startsWith('@@@', at) && !looksLikeHunk(text, at)) {
		damage.push({ kind: 'badHunkHeader', at });
		end = skipLooseLines(text, nextLine(text, at));
	}
	while (looksLikeHunk(text, end)) {
		const header = hunkHeader(text, end);
		if (header === undefined) {
			damage.push({ kind: 'badHunkHeader', at: end });
			end = skipLooseLines(text, nextLine(text, end));
			continue;
		}
		const hunk = readHunk(text, header, damage);
		hunks.push(hunk);
		added += hunk.added;
		removed += hunk.removed;
		end = damage.at(-1)?.at === hunk.end ? skipLooseLines(text, hunk.end) : hunk.end;
	}
	return { hunks, damage, added, removed, end };
}

/** Reads the lines of a hunk as far as they go, and adds what is wrong with them. */
function readHunk(text: string, header: HunkHeader, damage: Damage[]): Hunk {
	let old = header.oldLines;
	let fresh = header.newLines;
	let at = header.end;
	let both = 0;
	let wrappedAt = -1;
	for (; old + fresh > 0 && at < text.length; at = nextLine(text, at)) {
		const sign = signAt(text, at);
		if (isMore(sign, old, fresh)) {
			break;
		}
		if (sign === blank) {
			both++;
			old--;
			fresh--;
		} else if (sign === minus) {
			old--;
		} else if (sign === plus) {
			fresh--;
		} else if (sign === 0) {
			if (isBoundary(text, at)) {
				break;
			}
			wrappedAt = wrappedAt < 0 ? at : wrappedAt;
		}
	}
	const isShort = old + fresh > 0;
	noteDamage(damage, wrappedAt, isShort ? at : -1);
	const { oldStart, oldLines, newStart, newLines, section, end: start } = header;
	const added = newLines - fresh - both;
	const removed = oldLines - old - both;
	const end = isShort ? at : behindMark(text, at);
	return { oldStart, oldLines, newStart, newLines, section, added, removed, start, end };
}

/** Offsets that are not there are -1. */
function noteDamage(damage: Damage[], wrappedAt: number, cutAt: number): void {
	if (wrappedAt >= 0) {
		damage.push({ kind: 'wrappedLine', at: wrappedAt });
	}
	if (cutAt >= 0) {
		damage.push({ kind: 'cutShort', at: cutAt });
	}
}

/**
 * What the line at `at` is: blank, plus, minus, or backslash for the mark of a missing line end; 0 when it has no sign.
 * An empty line is context whose blank was lost on the way, as git reads it.
 */
export function signAt(text: string, at: number): number {
	const code = text.charCodeAt(at);
	return code === blank || code === plus || code === minus ? code : rareSignAt(text, at, code);
}

function rareSignAt(text: string, at: number, code: number): number {
	switch (code) {
		case lineFeed:
			return blank;
		case backslash:
			return text.charCodeAt(at + 1) === blank ? backslash : 0;
		case carriageReturn:
			return text.charCodeAt(at + 1) === lineFeed ? blank : 0;
		default:
			return 0;
	}
}

/** Whether a line is one more than the header counts. */
function isMore(sign: number, old: number, fresh: number): boolean {
	return (old === 0 && (sign === blank || sign === minus)) || (fresh === 0 && (sign === blank || sign === plus));
}

/** A line without a sign that is not the rest of a wrapped one, because something else begins there. */
function isBoundary(text: string, at: number): boolean {
	return text.startsWith('@@ -', at) || text.startsWith('diff --', at);
}

/** Steps over `\ No newline at end of file`, in whatever language. */
function behindMark(text: string, at: number): number {
	return at < text.length && signAt(text, at) === backslash ? nextLine(text, at) : at;
}

/** Behind a damaged hunk: steps over lines with signs, up to whatever may be read again. */
export function skipLooseLines(text: string, from: number): number {
	let at = from;
	while (at < text.length && signAt(text, at) !== 0 && !text.startsWith('--- ', at) && !isSignature(text, at)) {
		at = nextLine(text, at);
	}
	return at;
}

function isSignature(text: string, at: number): boolean {
	return text.startsWith('-- \n', at) || text.startsWith('-- \r\n', at);
}
