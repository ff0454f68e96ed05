import type { HunkPattern } from './hunkPattern.ts';

/** What the hunks before have left. */
export interface Place {
	/** How many lines of the text are written already. */
	readonly frozen: number;
	/** By how much the last hunk was off its stated place. */
	readonly offset: number;
	/** How many lines the text has gained by all of them. */
	readonly growth: number;
}

/** Where a hunk fits. */
export interface FoundPlace {
	/** Line of the text, from 0, at which the pattern begins, left out context included. */
	readonly at: number;
	readonly offset: number;
	readonly fuzz: number;
}

/** What looking for places has cost so far, and may cost. */
export interface Spent {
	steps: number;
	readonly most: number;
}

const mostFuzz = 2;

/**
 * Finds the place of a hunk with as little fuzz as possible, and then as near as possible to where it is expected. A line
 * without a line end is never put anywhere but at the end. A hunk without context goes only where it can be told for sure.
 */
export function locateHunk(
	lines: readonly string[],
	pattern: HunkPattern,
	place: Place,
	spent: Spent,
): FoundPlace | undefined {
	if (pattern.prefix === 0 && pattern.suffix === 0) {
		const at = locateBare({ lines, pattern, spent, fuzz: 0 }, place);
		return at === undefined ? undefined : { at, offset: at - pattern.first, fuzz: 0 };
	}
	const most = Math.min(mostFuzz, Math.max(pattern.prefix, pattern.suffix));
	for (let fuzz = 0; fuzz <= most; fuzz++) {
		const at = locate({ lines, pattern, spent, fuzz }, place);
		if (at !== undefined && !(pattern.endsText && at + pattern.old.length < lines.length)) {
			return { at, offset: at - pattern.first, fuzz };
		}
	}
	return undefined;
}

interface Search {
	readonly lines: readonly string[];
	readonly pattern: HunkPattern;
	readonly spent: Spent;
	readonly fuzz: number;
}

/**
 * Without context, a hunk stands at its stated place, as both sides of its header and all hunks before tell it. Elsewhere
 * it stands only when nothing else in the whole text is like the lines that it takes away; lines that are only added go
 * nowhere else. `git apply --unidiff-zero` and GNU patch take the nearest place instead, each counting from another.
 */
function locateBare(search: Search, { frozen, offset, growth }: Place): number | undefined {
	const { lines, pattern } = search;
	const { old, first, shift } = pattern;
	const last = lines.length - old.length;
	const isStated = offset === 0 && shift === growth && first >= frozen && first <= last;
	if (isStated && matches(search, first, uncut)) {
		return first;
	}
	const only = old.length === 0 ? undefined : onlyPlace(search, last);
	return only !== undefined && only >= frozen ? only : undefined;
}

/** The place of the only lines in the text that match; `undefined` when there are more such places or none. */
function onlyPlace(search: Search, last: number): number | undefined {
	let only: number | undefined;
	for (let at = 0; at <= last; at++) {
		const isMatch = matches(search, at, uncut);
		if (search.spent.steps > search.spent.most || (isMatch && only !== undefined)) {
			return undefined;
		}
		only = isMatch ? at : only;
	}
	return only;
}

/**
 * Fuzz takes lines from the longer side of the context first. Without fuzz, a hunk that states the first line and has less
 * context above than below stands at the beginning, and one with context only above stands at the end: there GNU patch and
 * `git apply` agree. With fuzz, a side that lacks more lines than the fuzz allows stands there, as GNU patch has it. Unlike
 * GNU patch, nothing is put anywhere when no line at all is left to compare.
 */
function locate(search: Search, { frozen, offset }: Place): number | undefined {
	const { lines, pattern, fuzz } = search;
	const { old, prefix, suffix, first } = pattern;
	const guess = first + offset;
	const context = Math.max(prefix, suffix);
	const head = fuzz + prefix - context;
	const tail = fuzz + suffix - context;
	const cut = { head: Math.max(0, head), tail: Math.max(0, tail) };
	if (cut.head + cut.tail >= old.length) {
		return undefined;
	}
	if (head < 0 && first === 0) {
		return onlyAt(search, 0, { guess, least: Math.max(0, frozen - prefix), cut });
	}
	if (tail < 0 && (fuzz > 0 || suffix === 0)) {
		return onlyAt(search, lines.length - old.length, { guess, least: frozen, cut });
	}
	return nearest(search, { guess, least: frozen, cut });
}

/** How many lines of context are left out at either end. */
interface Cut {
	readonly head: number;
	readonly tail: number;
}

const uncut: Cut = { head: 0, tail: 0 };

interface Range {
	readonly guess: number;
	readonly least: number;
	readonly cut: Cut;
}

function onlyAt(search: Search, at: number, { least, cut }: Range): number | undefined {
	return at >= least && matches(search, at, cut) ? at : undefined;
}

function nearest(search: Search, { guess, least, cut }: Range): number | undefined {
	const most = search.lines.length - (search.pattern.old.length - cut.tail);
	const farthest = Math.max(most - guess, guess - least);
	// From here on, the later of two places is behind everything that is written, and the earlier before the end.
	for (let away = Math.max(0, least - guess, guess - most); away <= farthest; away++) {
		if (search.spent.steps > search.spent.most) {
			return undefined;
		}
		const after = guess + away;
		if (after <= most && matches(search, after, cut)) {
			return after;
		}
		const before = guess - away;
		if (away > 0 && before >= least && matches(search, before, cut)) {
			return before;
		}
	}
	return undefined;
}

function matches({ lines, pattern: { old }, spent }: Search, at: number, { head, tail }: Cut): boolean {
	for (let index = head; index < old.length - tail; index++) {
		const wanted = old[index] ?? '';
		const line = lines[at + index];
		spent.steps += line?.length === wanted.length ? 1 + (wanted.length >> 6) : 1;
		if (line !== wanted) {
			return false;
		}
	}
	return true;
}
