import { type Steps, runResting, type Resting } from '@forge-desk/base/timeSlice.ts';
import { foldText } from './foldText.ts';

/** Items to sort or merge between two chances to rest. */
const most = 2048;

/** Stable sort into a new array with chances to rest. Up to a few thousand items need only one part. */
export function* mergeSorting<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
	let runs: (readonly T[])[] = [];
	for (let start = 0; start < items.length; start += most) {
		runs.push(items.slice(start, start + most).toSorted(compare));
		yield;
	}
	while (runs.length > 1) {
		const merged: (readonly T[])[] = [];
		for (let at = 0; at < runs.length; at += 2) {
			merged.push(yield* mergeTwo(runs[at] ?? [], runs[at + 1] ?? [], compare));
		}
		runs = merged;
	}
	return runs[0] ?? [];
}

function* mergeTwo<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
	const merged: T[] = [];
	let l = 0;
	let r = 0;
	while (l < left.length && r < right.length) {
		const [a, b] = [left[l], right[r]];
		// Unreachable by the loop condition; for the compiler.
		if (a === undefined || b === undefined) {
			break;
		}
		if (compare(a, b) <= 0) {
			merged.push(a);
			l += 1;
		} else {
			merged.push(b);
			r += 1;
		}
		if (merged.length % most === 0) {
			yield;
		}
	}
	return merged.concat(left.slice(l), right.slice(r));
}

/** The rest of a longer query is ignored. */
const longestQuery = 200;

/** Things between two chances to rest. */
const stride = 256;

const partOfWord = /[\p{L}\p{N}]/u;

/** How well a word fits a text; 0 is not at all, 4 is a whole word. */
type Fit = 0 | 1 | 2 | 3 | 4;

/** Searchable properties of a thing. */
export interface ThingFacts<I> {
	readonly text: (item: I) => string;
	readonly number?: (item: I) => number;
	/** Closed things come after open ones. */
	readonly isOver?: (item: I) => boolean;
	/** Time of the last change; `Infinity` for names, so that they rank before equally good texts. */
	readonly atMs: (item: I) => number;
}

/** Known things of one kind. Reading them needs no request. */
export interface ThingSource<T> {
	readonly count: number;
	/** Folded text; cached per item. */
	readonly folded: (at: number) => string;
	readonly number: (at: number) => number | undefined;
	readonly isOver: (at: number) => boolean;
	readonly atMs: (at: number) => number;
	readonly thing: (at: number) => T;
}

const foldedTexts = new WeakMap<object, string>();

/** The text of an item must not change while the item is the same object. */
export function thingSource<I extends object, T>(
	items: readonly I[],
	{ text, number, isOver, atMs }: ThingFacts<I>,
	thing: (item: I) => T,
): ThingSource<T> {
	const at = (place: number): I => {
		const item = items[place];
		if (!item) {
			throw new RangeError('No thing there');
		}
		return item;
	};
	return {
		count: items.length,
		folded(place) {
			const item = at(place);
			const known = foldedTexts.get(item) ?? foldText(text(item));
			foldedTexts.set(item, known);
			return known;
		},
		number: (place) => number?.(at(place)),
		isOver: (place) => isOver?.(at(place)) ?? false,
		atMs: (place) => atMs(at(place)),
		thing: (place) => thing(at(place)),
	};
}

/** The things with this number, open ones first, then the latest change. */
export function withNumber<T>(sources: readonly ThingSource<T>[], wanted: number): readonly T[] {
	const found: Ranked<T>[] = [];
	for (const source of sources) {
		for (let at = 0; at < source.count; at += 1) {
			if (source.number(at) === wanted) {
				found.push({ source, at, score: 1 });
			}
		}
	}
	return found.sort(compare).map(({ source, at }) => source.thing(at));
}

interface Ranked<T> {
	readonly source: ThingSource<T>;
	readonly at: number;
	readonly score: number;
}

/**
 * Things by words of their texts, best first, at most `limit`. Every word must fit; a whole word counts more than a
 * prefix, a prefix more than a part. Ties: open before closed, then the latest change, then the shorter text. A query without words finds
 * everything that has a time. Rests between; throws the signal's reason when aborted.
 */
export function rankThings<T>(
	{ query, limit }: { readonly query: string; readonly limit: number },
	sources: readonly ThingSource<T>[],
	resting: Resting,
	signal: AbortSignal,
): Promise<readonly T[]> {
	return runResting(rankingSteps(query, sources, limit), resting, signal);
}

function* rankingSteps<T>(query: string, sources: readonly ThingSource<T>[], limit: number): Steps<readonly T[]> {
	const words = foldText(query.slice(0, longestQuery))
		.split(/\s+/)
		.filter((word) => word !== '');
	const ranked: Ranked<T>[] = [];
	let looked = 0;
	for (const source of sources) {
		for (let at = 0; at < source.count; at += 1) {
			const score = words.length > 0 ? scoreOf(source.folded(at), words) : Number(source.atMs(at) < Infinity);
			if (score > 0) {
				ranked.push({ source, at, score });
			}
			looked += 1;
			if (looked % stride === 0) {
				yield;
			}
		}
	}
	const sorted = yield* mergeSorting(ranked, compare);
	return sorted.slice(0, limit).map(({ source, at }) => source.thing(at));
}

function scoreOf(folded: string, words: readonly string[]): number {
	let score = 0;
	for (const word of words) {
		// The best of all its places.
		let fit: Fit = 0;
		for (let at = folded.indexOf(word); at !== -1 && fit < 4; at = folded.indexOf(word, at + word.length)) {
			const begins = at === 0 || !partOfWord.test(folded.charAt(at - 1));
			const ends = !partOfWord.test(folded.charAt(at + word.length));
			const here = begins ? (ends ? 4 : 3) : 1;
			fit = here > fit ? here : fit;
		}
		if (fit === 0) {
			return 0;
		}
		score += fit;
	}
	return folded.startsWith(words.join(' ')) ? score + 1 : score;
}

function compare<T>(a: Ranked<T>, b: Ranked<T>): number {
	const [atA, atB] = [a.source.atMs(a.at), b.source.atMs(b.at)];
	return (
		(a.score === b.score ? 0 : b.score - a.score) ||
		Number(a.source.isOver(a.at)) - Number(b.source.isOver(b.at)) ||
		// `Infinity - Infinity` is not a number.
		(atA === atB ? 0 : atB - atA) ||
		(b.source.number(b.at) ?? 0) - (a.source.number(a.at) ?? 0) ||
		a.source.folded(a.at).length - b.source.folded(b.at).length
	);
}

/** Go to… entries of a feature. */
export interface KnownThings<N, T> {
	/** Things with an owner and a name, such as trackers. */
	readonly names: () => readonly N[];
	readonly sources: () => readonly ThingSource<T>[];
	/** Reads names and stored things that this window did not read yet; `changed` after each reading. */
	readonly learn: (changed: () => void, signal: AbortSignal) => void;
}
