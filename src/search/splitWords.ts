import type { FilterProblem } from './filterProblem.ts';
import type { TextRange } from './filterTerm.ts';

/** One word of a filter, quotes and escapes taken off. */
export interface FilterWord {
	readonly text: string;
	/** Where it stands, quotes counted in. */
	readonly range: TextRange;
	/** How many characters at its beginning stand there as they are, outside of quotes and not escaped. */
	readonly plainLength: number;
}

/** The words of a text; `problem` when the last one does not end. It is among the words all the same. */
export interface SplitText {
	readonly words: readonly FilterWord[];
	readonly problem: FilterProblem | undefined;
}

const blank = /\s/;

/**
 * Splits as a shell does: blanks divide, quotes hold together, a backslash takes the next character as it is. One
 * difference: an apostrophe opens a quote only at the beginning of a word or of its value, so that `don't` is a word.
 * Takes time in proportion to the text.
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

/** What stands between two quotes. Between double ones a backslash takes off the meaning of a quote and of itself. */
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
