import type { TermPerson } from './filterTerm.ts';
import { foldText } from './foldText.ts';
import { nearest } from './nearest.ts';
import { problemOf, type KeyedWord, type WrongText } from './termWords.ts';

export function personOf(value: string): TermPerson {
	return foldText(value) === 'me' ? { kind: 'me' } : { kind: 'named', name: value };
}

/** Case-insensitive. */
export function wordFor<T extends string>(value: string, words: readonly T[]): T | undefined {
	const folded = foldText(value);
	return words.find((word) => word === folded);
}

/** `values`: the allowed words; empty when any value is allowed. */
export function missingValue(key: string, { range }: KeyedWord, values: readonly string[]): WrongText {
	return problemOf({ kind: 'missingValue', key, values, range });
}

/** `values`: the allowed words; empty when any value is allowed. */
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
