import { filterKeys, wordsAfter, type FilterKey } from './filterGrammar.ts';
import type { FilterVocabulary } from './filterVocabulary.ts';
import type { TextRange } from './filterTerm.ts';
import { foldText } from './foldText.ts';
import { quoteValue } from './quoteValue.ts';
import { splitWords, type FilterWord } from './splitWords.ts';

/** Something that may stand at the caret. */
export interface FilterCandidate {
	readonly kind: 'key' | 'word' | 'label' | 'person';
	/** What it is called: `status`, `open`, a label's name, `~alice`. */
	readonly name: string;
	/** What to put in the place of `range`: a key with its colon, a value quoted as need be. */
	readonly insert: string;
}

export interface FilterCompletion {
	/** What a chosen candidate takes the place of; empty where nothing was typed yet. */
	readonly range: TextRange;
	readonly candidates: readonly FilterCandidate[];
}

/** More of one kind help nobody; typing on narrows them. */
const most = 50;

/** What may stand at the caret of a text that is still being typed, and so may be wrong anywhere. The likeliest first. */
export function completeFilter(text: string, caret: number, vocabulary: FilterVocabulary): FilterCompletion {
	const word = splitWords(text).words.find(({ range }) => range.start <= caret && caret <= range.end);
	if (!word) {
		return { range: { start: caret, end: caret }, candidates: filterKeys.map(keyCandidate) };
	}
	const isNegated = text.startsWith('!', word.range.start);
	const start = word.range.start + (isNegated ? 1 : 0);
	const colon = colonOf(word, isNegated ? 1 : 0);
	const range = { start: colon === undefined ? start : word.range.start + colon + 1, end: word.range.end };
	if (caret < range.start) {
		return keyCompletion(text, start, caret, range);
	}
	const typed = typedValue(text.slice(range.start, caret));
	if (colon !== undefined) {
		const key = filterKeys.find((known) => known === foldText(word.text.slice(isNegated ? 1 : 0, colon)));
		return { range, candidates: key === undefined ? [] : fitting(valueCandidates(key, vocabulary), typed) };
	}
	return {
		range,
		candidates: fitting(filterKeys.filter((key) => !isNegated || !key.endsWith('sort')).map(keyCandidate), typed),
	};
}

/** The caret stands in a key that has its colon already: the key alone is replaced, the value stays. */
function keyCompletion(text: string, start: number, caret: number, value: TextRange): FilterCompletion {
	const typed = text.slice(Math.min(start, caret), caret);
	return { range: { start, end: value.start }, candidates: fitting(filterKeys.map(keyCandidate), typed) };
}

function colonOf(word: FilterWord, skip: number): number | undefined {
	const colon = word.text.indexOf(':', skip);
	return colon > skip && colon < word.plainLength ? colon : undefined;
}

/** What was typed of a value, without the quote that it may begin with. */
function typedValue(raw: string): string {
	return splitWords(raw).words[0]?.text ?? '';
}

function keyCandidate(key: FilterKey): FilterCandidate {
	return { kind: 'key', name: key, insert: `${key}:` };
}

function valueCandidates(
	key: FilterKey,
	{ labels, submitters, assignees }: FilterVocabulary,
): readonly FilterCandidate[] {
	switch (key) {
		case 'status':
		case 'no':
		case 'sort':
		case 'rsort':
			return wordsAfter(key).map((name) => ({ kind: 'word', name, insert: name }));
		case 'submitter':
			return peopleCandidates(submitters);
		case 'assigned':
			return peopleCandidates(assignees);
		case 'label':
			return labels.map((name) => ({ kind: 'label', name, insert: quoteValue(name) }));
	}
}

function peopleCandidates(names: readonly string[]): readonly FilterCandidate[] {
	return [
		{ kind: 'word', name: 'me', insert: 'me' },
		...names.map((name) => ({ kind: 'person', name, insert: quoteValue(name) }) as const),
	];
}

/** Names that begin with what was typed, then those that hold it. A `~` need not be typed. */
function fitting(candidates: readonly FilterCandidate[], typed: string): readonly FilterCandidate[] {
	const wanted = foldText(typed);
	const begins = ({ name }: FilterCandidate): boolean => {
		const folded = foldText(name);
		return folded.startsWith(wanted) || folded.startsWith(`~${wanted}`);
	};
	const first = candidates.filter(begins);
	const later = candidates.filter((each) => !begins(each) && foldText(each.name).includes(wanted));
	return [...first, ...later].slice(0, most);
}
