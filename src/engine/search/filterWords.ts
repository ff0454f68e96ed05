import { foldText } from './foldText.ts';

/** A range of UTF-16 positions, exclusive `end`. */
export interface TextRange {
	readonly start: number;
	readonly end: number;
}

/** An error in a filter, with its range and the data for a next step. */
export type FilterProblem = { readonly range: TextRange } & (
	| { readonly kind: 'unclosedQuote'; readonly quote: string }
	/** A trailing backslash. */
	| { readonly kind: 'danglingEscape' }
	/** A lone `!`. */
	| { readonly kind: 'emptyNegation' }
	/** `nearest`: the most similar known key, if any. */
	| { readonly kind: 'unknownKey'; readonly key: string; readonly nearest: string | undefined }
	/** `values`: the allowed words; empty when any value is allowed. */
	| { readonly kind: 'missingValue'; readonly key: string; readonly values: readonly string[] }
	| {
			readonly kind: 'unknownValue';
			readonly key: string;
			readonly value: string;
			readonly values: readonly string[];
			readonly nearest: string | undefined;
	  }
	/** A second `sort:` or `rsort:`. */
	| { readonly kind: 'secondSort' }
	/** `!sort:…`. */
	| { readonly kind: 'negatedSort'; readonly key: string }
	| { readonly kind: 'tooLong'; readonly longest: number }
);

/** An error in a filter. */
export interface WrongText {
	readonly kind: 'problem';
	readonly problem: FilterProblem;
}

export function problemOf(problem: FilterProblem): WrongText {
	return { kind: 'problem', problem };
}

/** A word of a filter, without quotes and escapes. */
export interface FilterWord {
	readonly text: string;
	/** Including quotes. */
	readonly range: TextRange;
	/** Number of leading characters without quotes or escapes. */
	readonly plainLength: number;
}

const blank = /\s/;

/**
 * Splits like a shell: blanks separate, quotes group, a backslash escapes. Exception: an apostrophe opens a quote only
 * at the start of a word or value, so `don't` is one word. Linear in the text. `problem`: the last word is
 * unterminated; it is still included.
 */
export function splitWords(text: string) {
	const words: FilterWord[] = [];
	let problem: FilterProblem | undefined;
	let at = 0;
	while (!problem && at < text.length) {
		if (blank.test(text.charAt(at))) {
			at += 1;
			continue;
		}
		const start = at;
		let cooked = '';
		let plainLength: number | undefined;
		while (!problem && at < text.length && !blank.test(text.charAt(at))) {
			const character = text.charAt(at);
			if (character === '\\') {
				plainLength ??= cooked.length;
				const end = at + 1;
				if (end === text.length) {
					problem = { kind: 'danglingEscape', range: { start: at, end } };
				}
				cooked += text.charAt(end);
				at = Math.min(end + 1, text.length);
			} else if (opensQuote(text, start, at)) {
				plainLength ??= cooked.length;
				const quoted = readQuote(text, at);
				cooked += quoted.text;
				if (!quoted.isClosed) {
					problem = { kind: 'unclosedQuote', quote: character, range: { start: at, end: text.length } };
				}
				at = quoted.end;
			} else {
				cooked += character;
				at += 1;
			}
		}
		words.push({ text: cooked, range: { start, end: at }, plainLength: plainLength ?? cooked.length });
	}
	return { words, problem };
}

function opensQuote(text: string, start: number, at: number): boolean {
	const before = text.charAt(at - 1);
	const begins = at === start || before === ':' || (at === start + 1 && before === '!');
	return text.charAt(at) === '"' || (text.charAt(at) === "'" && begins);
}

/** Reads a quoted part. Inside double quotes, a backslash escapes quotes and backslashes. */
function readQuote(text: string, start: number) {
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

/** Quotes a value for use after `key:`, if needed. */
export function quoteValue(value: string): string {
	return value === '' || /[\s"'\\]/.test(value) ? `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"` : value;
}

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

/** Maximum length; the setting for saved filters has the same limit. */
export const longestFilter = 500;

/** The words of a filter in order. Stops after yielding an error. */
export function* termWords(text: string): Generator<PlainWord | KeyedWord | WrongText, void, undefined> {
	if (text.length > longestFilter) {
		yield problemOf({ kind: 'tooLong', longest: longestFilter, range: { start: longestFilter, end: text.length } });
		return;
	}
	const { words, problem } = splitWords(text);
	for (const word of problem ? words.slice(0, -1) : words) {
		const { range } = word;
		const isNegated = word.plainLength > 0 && word.text.startsWith('!');
		if (isNegated && range.end - range.start === 1) {
			yield problemOf({ kind: 'emptyNegation', range });
			return;
		}
		const skip = isNegated ? 1 : 0;
		const colon = colonIn(word, skip);
		if (colon === undefined) {
			yield { kind: 'plain', text: word.text.slice(skip), isNegated, range };
			continue;
		}
		yield {
			kind: 'keyed',
			key: word.text.slice(skip, colon),
			value: word.text.slice(colon + 1),
			isNegated,
			range,
			// No quotes or escapes precede the colon, so positions agree.
			keyRange: { start: range.start + skip, end: range.start + colon },
			valueRange: { start: range.start + colon + 1, end: range.end },
		};
	}
	if (problem) {
		yield problemOf(problem);
	}
}

/** Position of the colon after a key that starts at `skip`. Ignores quoted and escaped colons. */
export function colonIn({ text, plainLength }: FilterWord, skip: number): number | undefined {
	const colon = text.indexOf(':', skip);
	return colon > skip && colon < plainLength ? colon : undefined;
}

/** Case-insensitive. */
export function wordFor<T extends string>(value: string, words: readonly T[]): T | undefined {
	const folded = foldText(value);
	return words.find((word) => word.toLowerCase() === folded);
}

/** Longer than any keyword. */
const longest = 24;

/** The keyword that a typo most likely meant; `undefined` when none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
	if (word.length === 0 || word.length > longest) {
		return undefined;
	}
	const allowedSteps = word.length <= 3 ? 1 : 2;
	const ranked = candidates
		.map((candidate) => ({ candidate, steps: stepsBetween(word, candidate) }))
		.filter(({ candidate, steps }) => steps <= allowedSteps || candidate.startsWith(word))
		.toSorted((a, b) => a.steps - b.steps);
	return ranked[0]?.candidate;
}

/** Edit distance with transpositions. */
function stepsBetween(a: string, b: string): number {
	const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;
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
