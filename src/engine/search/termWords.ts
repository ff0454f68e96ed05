import { longestFilter } from './filterGrammar.ts';
import type { FilterProblem, TextRange, TermPerson } from './filterTerm.ts';
import { foldText } from './foldText.ts';

/** A word of a filter, without quotes and escapes. */
export interface FilterWord {
	readonly text: string;
	/** Including quotes. */
	readonly range: TextRange;
	/** Number of leading characters without quotes or escapes. */
	readonly plainLength: number;
}

/** `problem`: the last word is unterminated; it is still included. */
export interface SplitText {
	readonly words: readonly FilterWord[];
	readonly problem: FilterProblem | undefined;
}

const blank = /\s/;

/**
 * Splits like a shell: blanks separate, quotes group, a backslash escapes. Exception: an apostrophe opens a quote only
 * at the start of a word or value, so `don't` is one word. Linear in the text.
 */
export function splitWords(text: string): SplitText {
	const words: FilterWord[] = [];
	let at = 0;
	for (;;) {
		while (at < text.length && blank.test(text.charAt(at))) {
			at += 1;
		}
		if (at >= text.length) {
			return { words, problem: undefined };
		}
		const { word, problem } = readWord(text, at);
		words.push(word);
		if (problem) {
			return { words, problem };
		}
		at = word.range.end;
	}
}

interface ReadWord {
	readonly word: FilterWord;
	readonly problem: FilterProblem | undefined;
}

function readWord(text: string, start: number): ReadWord {
	let cooked = '';
	let plainLength: number | undefined;
	let at = start;
	const read = (problem?: FilterProblem): ReadWord => ({
		word: { text: cooked, range: { start, end: at }, plainLength: plainLength ?? cooked.length },
		problem,
	});
	while (at < text.length && !blank.test(text.charAt(at))) {
		const character = text.charAt(at);
		if (character === '\\') {
			plainLength ??= cooked.length;
			if (at + 1 >= text.length) {
				at += 1;
				return read({ kind: 'danglingEscape', range: { start: at - 1, end: at } });
			}
			cooked += text.charAt(at + 1);
			at += 2;
		} else if (opensQuote(text, start, at)) {
			plainLength ??= cooked.length;
			const quoted = readQuote(text, at);
			cooked += quoted.text;
			if (!quoted.isClosed) {
				const range = { start: at, end: text.length };
				at = text.length;
				return read({ kind: 'unclosedQuote', quote: character, range });
			}
			at = quoted.end;
		} else {
			cooked += character;
			at += 1;
		}
	}
	return read();
}

function opensQuote(text: string, start: number, at: number): boolean {
	const before = text.charAt(at - 1);
	const begins = at === start || before === ':' || (at === start + 1 && before === '!');
	return text.charAt(at) === '"' || (text.charAt(at) === "'" && begins);
}

interface Quoted {
	readonly text: string;
	readonly end: number;
	readonly isClosed: boolean;
}

/** Reads a quoted part. Inside double quotes, a backslash escapes quotes and backslashes. */
function readQuote(text: string, start: number): Quoted {
	const quote = text.charAt(start);
	let cooked = '';
	let at = start + 1;
	while (at < text.length) {
		const character = text.charAt(at);
		const next = text.charAt(at + 1);
		if (character === quote) {
			return { text: cooked, end: at + 1, isClosed: true };
		}
		const isEscape = quote === '"' && character === '\\' && (next === '"' || next === '\\');
		cooked += isEscape ? next : character;
		at += isEscape ? 2 : 1;
	}
	return { text: cooked, end: at, isClosed: false };
}

/** Longer than any keyword. */
const longest = 24;

/** The keyword that a typo most likely meant; `undefined` when none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
	if (word.length === 0 || word.length > longest) {
		return undefined;
	}
	const ranked = candidates
		.map((candidate) => ({ candidate, steps: stepsBetween(word, candidate) }))
		.filter(({ candidate, steps }) => steps <= allowedSteps(word) || candidate.startsWith(word))
		.toSorted((a, b) => a.steps - b.steps);
	return ranked[0]?.candidate;
}

function allowedSteps(word: string): number {
	return word.length <= 3 ? 1 : 2;
}

/** Edit distance with transpositions. */
function stepsBetween(a: string, b: string): number {
	let beforeLast: readonly number[] = [];
	let last = Array.from({ length: b.length + 1 }, (_, column) => column);
	for (let row = 1; row <= a.length; row++) {
		const current = [row];
		for (let column = 1; column <= b.length; column++) {
			const same = a[row - 1] === b[column - 1];
			const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
			current.push(
				Math.min(
					at(last, column) + 1,
					at(current, column - 1) + 1,
					at(last, column - 1) + (same ? 0 : 1),
					swapped ? at(beforeLast, column - 2) + 1 : Infinity,
				),
			);
		}
		beforeLast = last;
		last = current;
	}
	return at(last, b.length);
}

/** Infinity outside the row. */
function at(row: readonly number[], column: number): number {
	return row[column] ?? Infinity;
}

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
