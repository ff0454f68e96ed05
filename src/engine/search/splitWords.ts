import type { FilterProblem } from './filterProblem.ts';
import type { TextRange } from './filterTerm.ts';

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
