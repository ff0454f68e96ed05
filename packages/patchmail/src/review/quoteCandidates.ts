import { lineKey, lineWords } from './lineKey.ts';
import type { ReplyLine } from './replyLines.ts';
import type { SourceIndex } from './sourceIndex.ts';

/** Source lines that a reply line may quote. */
export interface Candidate {
	readonly first: number;
	/** Equal to `first`, unless the quotation was rewrapped. */
	readonly last: number;
	/** Index after the last quoted word. */
	readonly endWord: number;
	/** Confidence: 0 to 4. */
	readonly weight: number;
	/** Number of quote marks. */
	readonly depth: number;
}

/** A reply line with some marks stripped. */
export interface LineReading {
	readonly depth: number;
	readonly key: string;
	readonly text: string;
}

/** Matched neighbors of the line to find. */
export interface Cursor {
	/** After these lines. */
	readonly after: readonly number[];
	/** Before these lines, quoted by the next reply lines. */
	readonly before: readonly number[];
}

/** More frequent lines match only near their neighbors. */
export const mostCommon = 6;
/** Keys of this length have full confidence. */
const fullLength = 24;
/** Shorter heads match too many lines. */
const shortestHead = 8;
/** Minimum equal share of a modified line. */
const leastShare = 0.6;

/** The text without marks, with only the innermost mark, and with all but the outermost. */
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
		const text = behind[each - 1]!;
		return { depth: each, key: lineKey(text), text };
	});
}

/** Exact matches, else modified lines. */
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

/** Looks up word sequences at the start of the line, at its second word, and at its end. */
function changedCandidates(
	{ text, key, depth }: LineReading,
	index: SourceIndex,
	cursor: () => Cursor,
): readonly Candidate[] {
	const words = lineWords(text);
	for (const from of [0, 1, words.length - 3]) {
		const found = from < 0 ? (key.length < shortestHead ? [] : index.headsLike(words)) : index.wordsLike(words, from);
		const runs = near(found, () => {
			const { after, before } = cursor();
			return {
				after: after.map((line) => index.wordEnd(line) - 1),
				before: before.map((line) => index.wordEnd(line - 1)),
			};
		}).flatMap((word): readonly Candidate[] => {
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

/** Continues the previous line after its break. */
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

/** All of a few positions; of many, the first and the nearest to the neighbors. */
function near(places: readonly number[], cursor: () => Cursor): readonly number[] {
	if (places.length <= mostCommon) {
		return places;
	}
	const { after, before } = cursor();
	const next = after.map((line) => places[firstAbove(places, line)]);
	const last = before.map((line) => places[firstAbove(places, line - 1) - 1]);
	return [...new Set([places[0], ...next, ...last])].filter((place) => place !== undefined);
}

/** Index of the first greater number in a sorted array. */
function firstAbove(sorted: readonly number[], value: number): number {
	let [low, high] = [0, sorted.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (sorted[middle]! > value) {
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	return low;
}
