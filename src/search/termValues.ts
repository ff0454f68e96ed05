import type { TermPerson } from './filterTerm.ts';
import { foldText } from './foldText.ts';
import { nearest } from './nearest.ts';
import { problemOf, type KeyedWord, type WrongText } from './termWords.ts';

/** Whom a value names. */
export function personOf(value: string): TermPerson {
	return foldText(value) === 'me' ? { kind: 'me' } : { kind: 'named', name: value };
}

/** The word that a value is, typed in any case. */
export function wordFor<T extends string>(value: string, words: readonly T[]): T | undefined {
	const folded = foldText(value);
	return words.find((word) => word === folded);
}

/** `values` are the words that may follow the key; none where anything else may. */
export function missingValue(key: string, { range }: KeyedWord, values: readonly string[]): WrongText {
	return problemOf({ kind: 'missingValue', key, values, range });
}

/** `values` are the words that may follow the key; none where anything else may. */
export function unknownValue(key: string, { value, valueRange }: KeyedWord, values: readonly string[]): WrongText {
	return problemOf({
		kind: 'unknownValue',
		key,
		value,
		values,
		nearest: nearest(foldText(value), values),
		range: valueRange,
	});
}
