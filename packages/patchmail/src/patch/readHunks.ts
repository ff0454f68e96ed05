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
		// The start of a hunk or file is no rest of a wrapped line.
		const isBoundary = sign === 0 && (text.startsWith('@@ -', at) || text.startsWith('diff --', at));
		if (isMore(sign, lines.old, lines.fresh) || isBoundary) {
			break;
		}
		lines.take(sign === backslash && isShortMark(text, at) ? 0 : sign, at);
	}
	const { isShort, both, trailing } = lines;
	noteDamage(damage, 'noChange', lines.hasNoChange ? start : -1);
	noteDamage(damage, 'endInside', lines.insideAt);
	noteDamage(damage, 'wrappedLine', lines.wrappedAt);
	noteDamage(damage, 'cutShort', isShort ? at : -1);
	const added = newLines - lines.fresh - both;
	const removed = oldLines - lines.old - both;
	// Git checks the length of the whole rest, not of the line of the end-of-file marker.
	const hasMark = !isShort && text.length - at > shortestMark && signAt(text, at) === backslash;
	const end = hasMark ? nextLine(text, at) : at;
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
		const isEnded = (this.#isOldEnded && sign !== plus) || (this.#isNewEnded && sign !== minus);
		if (this.insideAt < 0 && isEnded) {
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
	const isOneSided = change === 'added' || change === 'deleted';
	const wrong = isOneSided
		? hunks.find(({ oldLines, newLines }) => (change === 'added' ? oldLines : newLines) > 0)
		: undefined;
	const lastStart = hunks.reduce((most, { oldStart }) => Math.max(most, oldStart), 0);
	const marked = hunks.find(({ oldStart, start, end }) => {
		const lastLine = text.lastIndexOf('\n', end - 2) + 1;
		return oldStart < lastStart && lastLine >= start && signAt(text, lastLine) === backslash;
	});
	const bare = isOneSided
		? undefined
		: hunks.find(
				({ leading, trailing, oldStart }) =>
					trailing === 0 && (oldStart < lastStart || (leading === 0 && oldStart > 1)),
			);
	return [
		...(wrong ? [{ kind: 'wrongSide', at: wrong.start } as const] : []),
		...(marked ? [{ kind: 'endInside', at: marked.end - 1 } as const] : []),
		...(bare ? [{ kind: 'noContext', at: bare.start } as const] : []),
	];
}

/**
 * The sign of the line at `at`: blank, plus, minus, or backslash for the end-of-file marker; 0 without one. Like in
 * git, an empty line is context that lost its blank in transport.
 */
export function signAt(text: string, at: number): number {
	const code = text.charCodeAt(at);
	switch (code) {
		case blank:
		case plus:
		case minus:
			return code;
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

/** Git refuses shorter forms of `\ No newline at end of file` in any language. */
function isShortMark(text: string, at: number): boolean {
	const line = text.slice(at, Math.min(lineEnd(text, at), at + shortestMark));
	return Buffer.byteLength(line) + 1 < shortestMark;
}

/** Resynchronizes after a damaged hunk: skips lines with signs, up to a file header or a signature. */
export function skipLooseLines(text: string, from: number): number {
	let at = from;
	const ends = ['--- ', '-- \n', '-- \r\n'];
	while (at < text.length && signAt(text, at) !== 0 && !ends.some((end) => text.startsWith(end, at))) {
		at = nextLine(text, at);
	}
	return at;
}
