import { lineKey, lineWords } from './lineKey.ts';
import type { ReplyLine } from './replyLines.ts';
import type { SourceIndex } from './sourceIndex.ts';

/** Lines of a source that a line of a reply may quote. */
export interface Candidate {
	readonly first: number;
	/** The same line, unless the quotation was wrapped anew. */
	readonly last: number;
	/** Behind the last word that is quoted. */
	readonly endWord: number;
	/** How sure it is by itself: 0 to 4. */
	readonly weight: number;
	/** Under how many marks it stands. */
	readonly depth: number;
}

/** A way to read a line of a reply: with so many marks taken off. */
export interface LineReading {
	readonly depth: number;
	readonly key: string;
	readonly text: string;
}

/** What has been matched so far, where a line is looked for next. */
export interface Cursor {
	/** Behind these lines. */
	readonly after: readonly number[];
	/** Before these lines, which the next lines quote. */
	readonly before: readonly number[];
}

/** A line that is found more often is looked for near its neighbours only. */
export const mostCommon = 6;
/** A key of so many characters is as sure as any. */
const fullLength = 24;
/** Fewer characters may begin any line. */
const shortestHead = 8;
/** Of a line that was changed on the way, so much has to be the same. */
const leastShare = 0.6;

/** The ways to read a line: without any marks, with the innermost one, with all but the outer one. */
export function readingsOf(line: ReplyLine): readonly LineReading[] {
	if (line.kind === 'own' || line.kind === 'unmarked') {
		return [{ depth: 1, key: lineKey(line.text), text: line.text }];
	}
	if (line.kind !== 'quoted') {
		return [];
	}
	const { behind, depth } = line;
	const depths = [...new Set([depth, depth - 1, 1])].filter((each) => each > 0);
	return depths.map((each) => {
		const text = behind[each - 1] ?? '';
		return { depth: each, key: lineKey(text), text };
	});
}

/** Lines that are quoted as they were, then those that were changed on the way. */
export function candidatesOf(
	readings: readonly LineReading[],
	index: SourceIndex,
	cursor: () => Cursor,
): readonly Candidate[] {
	const exact = readings.flatMap((reading) => exactCandidates(reading, index, cursor));
	if (exact.length > 0) {
		return exact;
	}
	return readings.slice(0, 2).flatMap((reading) => changedCandidates(reading, index, cursor));
}

function exactCandidates({ key, depth }: LineReading, index: SourceIndex, cursor: () => Cursor): readonly Candidate[] {
	if (key === '') {
		return [];
	}
	const weight = 0.4 + (3.6 * Math.min(key.length, fullLength)) / fullLength;
	const whole = (line: number, share: number): Candidate => ({
		first: line,
		last: line,
		endWord: index.wordEnd(line),
		weight: weight * share,
		depth,
	});
	const found = near(index.exact(key), cursor).map((line) => whole(line, 1));
	return found.length > 0 ? found : near(index.bare(key), cursor).map((line) => whole(line, 0.5));
}

/** Looks for some words in a row, at the head of the line, at its second word, and at its end. */
function changedCandidates(
	{ text, key, depth }: LineReading,
	index: SourceIndex,
	cursor: () => Cursor,
): readonly Candidate[] {
	const words = lineWords(text);
	for (const from of [0, 1, words.length - 3]) {
		const found = from < 0 ? shortHeads(words, key, index) : index.wordsLike(words, from);
		const runs = nearWords(found, index, cursor).flatMap((word): readonly Candidate[] => {
			const rest = words.slice(Math.max(0, from));
			const count = index.runAt(word, rest);
			const share = count / words.length;
			const weight = 0.8 * share * (0.4 + (3.6 * Math.min(key.length, fullLength)) / fullLength);
			const endWord = word + count;
			return share < leastShare && count < 6
				? []
				: [{ first: index.lineOfWord(word), last: index.lineOfWord(endWord - 1), endWord, weight, depth }];
		});
		if (runs.length > 0) {
			return runs;
		}
	}
	return [];
}

/** One or two words are the head of a line that was broken, if they are long enough to tell anything. */
function shortHeads(words: readonly string[], key: string, index: SourceIndex): readonly number[] {
	return key.length < shortestHead ? [] : index.headsLike(words);
}

/** What goes on where the line before was broken. */
export function continuation(
	{ text, key, depth }: LineReading,
	index: SourceIndex,
	endWord: number,
): Candidate | undefined {
	const words = lineWords(text);
	if (words.length === 0 || index.runAt(endWord, words) < words.length) {
		return undefined;
	}
	const end = endWord + words.length;
	const weight = 0.8 * (0.4 + (3.6 * Math.min(key.length, fullLength)) / fullLength);
	return { first: index.lineOfWord(endWord), last: index.lineOfWord(end - 1), endWord: end, weight, depth };
}

/** All of a few places; of many the first, and those nearest to what is known. */
function near(places: readonly number[], cursor: () => Cursor): readonly number[] {
	if (places.length <= mostCommon) {
		return places;
	}
	const { after, before } = cursor();
	const next = after.map((line) => places[firstAbove(places, line)]);
	const last = before.map((line) => places[firstAbove(places, line - 1) - 1]);
	return [...new Set([places[0], ...next, ...last])].filter((place) => place !== undefined);
}

function nearWords(places: readonly number[], index: SourceIndex, cursor: () => Cursor): readonly number[] {
	return near(places, () => {
		const { after, before } = cursor();
		return {
			after: after.map((line) => index.wordEnd(line) - 1),
			before: before.map((line) => index.wordEnd(line - 1)),
		};
	});
}

/** Where the first of sorted numbers stands that is greater. */
function firstAbove(sorted: readonly number[], value: number): number {
	let [low, high] = [0, sorted.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((sorted[middle] ?? Infinity) > value) {
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	return low;
}
