import type { Damage, DamageKind, FileChange, Hunk } from './fileDiff.ts';
import { hunkHeader, looksLikeHunk, type HunkHeader } from './hunkHeader.ts';
import { lineEnd, nextLine } from './textLines.ts';

export interface HunksReading {
	readonly hunks: readonly Hunk[];
	readonly damage: readonly Damage[];
	readonly added: number;
	readonly removed: number;
	/** Exclusive end of the last hunk. */
	readonly end: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;
const plus = 0x2b;
const minus = 0x2d;
const backslash = 0x5c;
/** In bytes, with the line feed. */
const shortestMark = 12;

/**
 * Reads consecutive hunks from `at`. The counts in a hunk header determine its end, whatever its lines look like.
 * Visits each line once, so damaged text takes no longer than sound text.
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

/** Adds to `damage`. */
function readHunk(text: string, header: HunkHeader, damage: Damage[]): Hunk {
	const { oldStart, oldLines, newStart, newLines, section, end: start } = header;
	const lines = new LineCounts(oldLines, newLines);
	let at = start;
	for (; lines.isShort && at < text.length; at = nextLine(text, at)) {
		const sign = signAt(text, at);
		if (isMore(sign, lines.old, lines.fresh) || (sign === 0 && isBoundary(text, at))) {
			break;
		}
		lines.take(isShortMark(text, at, sign) ? 0 : sign, at);
	}
	const { isShort, both, trailing } = lines;
	noteDamage(damage, 'noChange', lines.hasNoChange ? start : -1);
	noteDamage(damage, 'endInside', lines.insideAt);
	noteDamage(damage, 'wrappedLine', lines.wrappedAt);
	noteDamage(damage, 'cutShort', isShort ? at : -1);
	const added = newLines - lines.fresh - both;
	const removed = oldLines - lines.old - both;
	const end = isShort ? at : behindMark(text, at);
	const leading = lines.isUnchanged ? both : lines.leading;
	return { oldStart, oldLines, newStart, newLines, section, leading, trailing, added, removed, start, end };
}

class LineCounts {
	/** Remaining lines. */
	old: number;
	fresh: number;
	both = 0;
	/** Context lines before the first change; -1 until then. */
	leading = -1;
	/** Context lines after the last change. */
	trailing = 0;
	/** Offset of an end-of-file marker with lines of its side after it; -1 without one. */
	insideAt = -1;
	/** Offset of the first line without a sign; -1 without one. */
	wrappedAt = -1;
	#last = 0;
	#markAt = -1;
	#isOldEnded = false;
	#isNewEnded = false;

	constructor(old: number, fresh: number) {
		this.old = old;
		this.fresh = fresh;
	}

	get isShort(): boolean {
		return this.old + this.fresh > 0;
	}

	get isUnchanged(): boolean {
		return this.leading < 0;
	}

	/** True for a complete hunk without changes. */
	get hasNoChange(): boolean {
		return this.isUnchanged && !this.isShort;
	}

	/** `sign`: 0 for a line without one. */
	take(sign: number, at: number): void {
		if (sign === 0) {
			this.wrappedAt = this.wrappedAt < 0 ? at : this.wrappedAt;
			return;
		}
		if (sign === backslash) {
			this.#mark(at);
			return;
		}
		if (this.insideAt < 0 && this.#isEnded(sign)) {
			this.insideAt = this.#markAt;
		}
		this.#last = sign;
		this.old -= sign === plus ? 0 : 1;
		this.fresh -= sign === minus ? 0 : 1;
		if (sign === blank) {
			this.both++;
			this.trailing++;
		} else {
			this.leading = this.isUnchanged ? this.both : this.leading;
			this.trailing = 0;
		}
	}

	#isEnded(sign: number): boolean {
		return (this.#isOldEnded && sign !== plus) || (this.#isNewEnded && sign !== minus);
	}

	/** An end-of-file marker ends the sides of the preceding line. */
	#mark(at: number): void {
		this.#isOldEnded ||= this.#last === blank || this.#last === minus;
		this.#isNewEnded ||= this.#last === blank || this.#last === plus;
		this.#markAt = at;
	}
}

/** `at`: -1 without damage. */
function noteDamage(damage: Damage[], kind: DamageKind, at: number): void {
	if (at >= 0) {
		damage.push({ kind, at });
	}
}

/** Damage of individually sound hunks: conflicts with each other or with the file header. */
export function damageOfHunks(text: string, change: FileChange, hunks: readonly Hunk[]): readonly Damage[] {
	const wrong = change === 'added' ? hunks.find(isOfOld) : change === 'deleted' ? hunks.find(isOfNew) : undefined;
	const last = hunks.reduce((most, { oldStart }) => Math.max(most, oldStart), 0);
	const marked = hunks.find((hunk) => hunk.oldStart < last && endsWithMark(text, hunk));
	const bare = change === 'added' || change === 'deleted' ? undefined : hunks.find((hunk) => lacksContext(hunk, last));
	return [
		...(wrong ? [{ kind: 'wrongSide', at: wrong.start } as const] : []),
		...(marked ? [{ kind: 'endInside', at: marked.end - 1 } as const] : []),
		...(bare ? [{ kind: 'noContext', at: bare.start } as const] : []),
	];
}

function isOfOld({ oldLines }: Hunk): boolean {
	return oldLines > 0;
}

function isOfNew({ newLines }: Hunk): boolean {
	return newLines > 0;
}

/** `last`: first old line of the last hunk. */
function lacksContext({ leading, trailing, oldStart }: Hunk, last: number): boolean {
	return trailing === 0 && (oldStart < last || (leading === 0 && oldStart > 1));
}

function endsWithMark(text: string, { start, end }: Hunk): boolean {
	const at = text.lastIndexOf('\n', end - 2) + 1;
	return at >= start && signAt(text, at) === backslash;
}

/**
 * The sign of the line at `at`: blank, plus, minus, or backslash for the end-of-file marker; 0 without one. Like in
 * git, an empty line is context that lost its blank in transport.
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

/** Whether a line exceeds the counts in the header. */
function isMore(sign: number, old: number, fresh: number): boolean {
	return (old === 0 && (sign === blank || sign === minus)) || (fresh === 0 && (sign === blank || sign === plus));
}

/** True at the start of a hunk or file: such a line is no rest of a wrapped line. */
function isBoundary(text: string, at: number): boolean {
	return text.startsWith('@@ -', at) || text.startsWith('diff --', at);
}

/** Git refuses shorter forms of `\ No newline at end of file` in any language. */
function isShortMark(text: string, at: number, sign: number): boolean {
	const line = sign === backslash ? text.slice(at, Math.min(lineEnd(text, at), at + shortestMark)) : undefined;
	return line !== undefined && Buffer.byteLength(line) + 1 < shortestMark;
}

/** Skips the end-of-file marker after a hunk. Here git checks the length of the whole rest, not of the line. */
function behindMark(text: string, at: number): number {
	return text.length - at > shortestMark && signAt(text, at) === backslash ? nextLine(text, at) : at;
}

/** Resynchronizes after a damaged hunk: skips lines with signs, up to a file header or a signature. */
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
