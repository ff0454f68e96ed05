import { filterKeys, isWords, noWords, sortWords, statusWords, wordsAfter, type FilterKey } from './filterGrammar.ts';
import type { Condition, FilterTerm, ParsedFilter, SortOrder } from './filterTerm.ts';
import { foldText } from './foldText.ts';
import {
	nearest,
	missingValue,
	personOf,
	unknownValue,
	wordFor,
	problemOf,
	termWords,
	type KeyedWord,
	type PlainWord,
	type ReadingOf,
	type WrongText,
} from './termWords.ts';

export type FilterReading = ReadingOf<ParsedFilter>;

type WordReading =
	| { readonly kind: 'term'; readonly condition: Condition }
	| { readonly kind: 'sort'; readonly sort: SortOrder }
	| WrongText;

/**
 * Parses the forge's ticket search grammar plus `is:`. Blanks separate terms, and all are required; `!` negates; words
 * without a key search the texts. As on the forge, an unknown key is an error, even in `http://x`; quotes make it a
 * plain word. Keys and keywords such as `open` are case-insensitive.
 */
export function parseFilter(text: string): FilterReading {
	const terms: FilterTerm[] = [];
	let sort: SortOrder | undefined;
	for (const word of termWords(text)) {
		if (word.kind === 'problem') {
			return word;
		}
		const { isNegated, range } = word;
		const reading = readWord(word);
		switch (reading.kind) {
			case 'problem':
				return reading;
			case 'term':
				terms.push({ condition: reading.condition, isNegated, range });
				break;
			case 'sort':
				if (sort) {
					return problemOf({ kind: 'secondSort', range });
				}
				sort = reading.sort;
		}
	}
	return { kind: 'filter', filter: { terms, sort } };
}

function readWord(word: PlainWord | KeyedWord): WordReading {
	if (word.kind === 'plain') {
		return { kind: 'term', condition: { kind: 'text', text: word.text } };
	}
	const key = wordFor(word.key, filterKeys);
	if (key === undefined) {
		const near = nearest(foldText(word.key), filterKeys);
		return problemOf({ kind: 'unknownKey', key: word.key, nearest: near, range: word.keyRange });
	}
	if (word.value === '') {
		return missingValue(key, word, wordsAfter(key));
	}
	if (key === 'sort' || key === 'rsort') {
		return readSort(key, word);
	}
	const condition = conditionOf(key, word.value);
	return condition === undefined ? unknownValue(key, word, wordsAfter(key)) : { kind: 'term', condition };
}

function readSort(key: 'sort' | 'rsort', word: KeyedWord): WordReading {
	if (word.isNegated) {
		return problemOf({ kind: 'negatedSort', key, range: word.range });
	}
	const by = wordFor(word.value, sortWords);
	return by === undefined
		? unknownValue(key, word, wordsAfter(key))
		: { kind: 'sort', sort: { key: by, isReversed: key === 'rsort' } };
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
		case 'is': {
			const what = wordFor(value, isWords);
			return what && { kind: key, what };
		}
		case 'submitter':
		case 'assigned':
			return { kind: key, person: personOf(value) };
		case 'label':
			return { kind: key, name: value };
	}
}
