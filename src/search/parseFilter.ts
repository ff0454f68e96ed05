import {
	filterKeys,
	longestFilter,
	noWords,
	sortWords,
	statusWords,
	wordsAfter,
	type FilterKey,
} from './filterGrammar.ts';
import type { FilterProblem } from './filterProblem.ts';
import type { Condition, FilterTerm, ParsedFilter, SortOrder, TermPerson, TextRange } from './filterTerm.ts';
import { foldText } from './foldText.ts';
import { nearest } from './nearest.ts';
import { splitWords, type FilterWord } from './splitWords.ts';

/** What a text says: a filter, or the first thing in it that is wrong. */
export type FilterReading =
	| { readonly kind: 'filter'; readonly filter: ParsedFilter }
	| { readonly kind: 'problem'; readonly problem: FilterProblem };

/** One word, understood. */
type WordReading =
	| { readonly kind: 'term'; readonly term: FilterTerm }
	| { readonly kind: 'sort'; readonly sort: SortOrder; readonly range: TextRange }
	| { readonly kind: 'problem'; readonly problem: FilterProblem };

/**
 * Reads a filter in the forge's search grammar. Terms are divided by blanks and all have to be met; `!` before a term
 * turns it round; a word without a key is looked for in the texts. As on the forge, what looks like a key and is none is
 * an error, `http://x` too; in quotes it is a word to look for. Keys, and words such as `open`, may be typed in any case.
 */
export function parseFilter(text: string): FilterReading {
	if (text.length > longestFilter) {
		return problemOf({ kind: 'tooLong', longest: longestFilter, range: { start: longestFilter, end: text.length } });
	}
	const { words, problem } = splitWords(text);
	const terms: FilterTerm[] = [];
	let sort: SortOrder | undefined;
	for (const word of problem ? words.slice(0, -1) : words) {
		const reading = readWord(word);
		switch (reading.kind) {
			case 'problem':
				return reading;
			case 'term':
				terms.push(reading.term);
				break;
			case 'sort':
				if (sort) {
					return problemOf({ kind: 'secondSort', range: reading.range });
				}
				sort = reading.sort;
		}
	}
	return problem ? problemOf(problem) : { kind: 'filter', filter: { terms, sort } };
}

function problemOf(problem: FilterProblem): { readonly kind: 'problem'; readonly problem: FilterProblem } {
	return { kind: 'problem', problem };
}

/** A word taken apart at its `!` and at the colon after its key. */
interface KeyedWord {
	readonly key: string;
	readonly value: string;
	readonly isNegated: boolean;
	readonly range: TextRange;
	readonly keyRange: TextRange;
	readonly valueRange: TextRange;
}

function readWord(word: FilterWord): WordReading {
	const isNegated = word.plainLength > 0 && word.text.startsWith('!');
	const skip = isNegated ? 1 : 0;
	const { range } = word;
	if (isNegated && range.end - range.start === 1) {
		return problemOf({ kind: 'emptyNegation', range });
	}
	const colon = word.text.indexOf(':', skip);
	if (colon <= skip || colon >= word.plainLength) {
		const text = word.text.slice(skip);
		return { kind: 'term', term: { condition: { kind: 'text', text }, isNegated, range } };
	}
	const start = range.start + skip;
	return readKeyed({
		key: word.text.slice(skip, colon),
		value: word.text.slice(colon + 1),
		isNegated,
		range,
		// Up to the colon the text stands as it was typed, so positions agree.
		keyRange: { start, end: range.start + colon },
		valueRange: { start: range.start + colon + 1, end: range.end },
	});
}

function readKeyed(word: KeyedWord): WordReading {
	const typed = foldText(word.key);
	const key = filterKeys.find((known) => known === typed);
	if (key === undefined) {
		const { keyRange } = word;
		return problemOf({ kind: 'unknownKey', key: word.key, nearest: nearest(typed, filterKeys), range: keyRange });
	}
	if (word.value === '') {
		return problemOf({ kind: 'missingValue', key, values: wordsAfter(key), range: word.range });
	}
	if (key === 'sort' || key === 'rsort') {
		return readSort(key, word);
	}
	const condition = conditionOf(key, word.value);
	return condition === undefined
		? unknownValue(key, word)
		: { kind: 'term', term: { condition, isNegated: word.isNegated, range: word.range } };
}

function readSort(key: 'sort' | 'rsort', word: KeyedWord): WordReading {
	if (word.isNegated) {
		return problemOf({ kind: 'negatedSort', key, range: word.range });
	}
	const by = wordFor(word.value, sortWords);
	return by === undefined
		? unknownValue(key, word)
		: { kind: 'sort', sort: { key: by, isReversed: key === 'rsort' }, range: word.range };
}

function conditionOf(key: Exclude<FilterKey, 'sort' | 'rsort'>, value: string): Condition | undefined {
	switch (key) {
		case 'status': {
			const status = wordFor(value, statusWords);
			return status && { kind: key, status };
		}
		case 'no': {
			const what = wordFor(value, noWords);
			return what && { kind: key, what };
		}
		case 'submitter':
		case 'assigned':
			return { kind: key, person: personOf(value) };
		case 'label':
			return { kind: key, name: value };
	}
}

function personOf(value: string): TermPerson {
	return foldText(value) === 'me' ? { kind: 'me' } : { kind: 'named', name: value };
}

function wordFor<T extends string>(typed: string, words: readonly T[]): T | undefined {
	const folded = foldText(typed);
	return words.find((word) => word === folded);
}

function unknownValue(key: FilterKey, { value, valueRange }: KeyedWord): WordReading {
	const values = wordsAfter(key);
	return problemOf({
		kind: 'unknownValue',
		key,
		value,
		values,
		nearest: nearest(foldText(value), values),
		range: valueRange,
	});
}
