import { longestFilter } from './filterGrammar.ts';
import type { FilterProblem } from './filterProblem.ts';
import type { TextRange } from './filterTerm.ts';
import { splitWords, type FilterWord } from './splitWords.ts';

/** An error in a filter. */
export interface WrongText {
	readonly kind: 'problem';
	readonly problem: FilterProblem;
}

/** A parsed filter, or its first error. */
export type ReadingOf<Filter> = { readonly kind: 'filter'; readonly filter: Filter } | WrongText;

/** A word without a key; its `!` is removed. */
export interface PlainWord {
	readonly kind: 'plain';
	readonly text: string;
	readonly isNegated: boolean;
	readonly range: TextRange;
}

/** A word with an unquoted colon. The key is nonempty and as typed; the value may be empty. */
export interface KeyedWord {
	readonly kind: 'keyed';
	readonly key: string;
	readonly value: string;
	readonly isNegated: boolean;
	readonly range: TextRange;
	readonly keyRange: TextRange;
	readonly valueRange: TextRange;
}

export function problemOf(problem: FilterProblem): WrongText {
	return { kind: 'problem', problem };
}

/** The words of a filter in order. Stops after yielding an error. */
export function* termWords(text: string): Generator<PlainWord | KeyedWord | WrongText, void, undefined> {
	if (text.length > longestFilter) {
		yield problemOf({ kind: 'tooLong', longest: longestFilter, range: { start: longestFilter, end: text.length } });
		return;
	}
	const { words, problem } = splitWords(text);
	for (const word of problem ? words.slice(0, -1) : words) {
		const read = takenApart(word);
		yield read;
		if (read.kind === 'problem') {
			return;
		}
	}
	if (problem) {
		yield problemOf(problem);
	}
}

function takenApart(word: FilterWord): PlainWord | KeyedWord | WrongText {
	const { text, range } = word;
	const skip = word.plainLength > 0 && text.startsWith('!') ? 1 : 0;
	const isNegated = skip > 0;
	if (isNegated && range.end - range.start === 1) {
		return problemOf({ kind: 'emptyNegation', range });
	}
	const colon = colonIn(word, skip);
	if (colon === undefined) {
		return { kind: 'plain', text: text.slice(skip), isNegated, range };
	}
	return {
		kind: 'keyed',
		key: text.slice(skip, colon),
		value: text.slice(colon + 1),
		isNegated,
		range,
		// No quotes or escapes precede the colon, so positions agree.
		keyRange: { start: range.start + skip, end: range.start + colon },
		valueRange: { start: range.start + colon + 1, end: range.end },
	};
}

/** Position of the colon after a key that starts at `skip`. Ignores quoted and escaped colons. */
export function colonIn({ text, plainLength }: FilterWord, skip: number): number | undefined {
	const colon = text.indexOf(':', skip);
	return colon > skip && colon < plainLength ? colon : undefined;
}
