import type { TextRange } from './filterTerm.ts';
import { foldText } from './foldText.ts';
import { quoteValue } from './quoteValue.ts';
import { splitWords } from './splitWords.ts';
import { colonIn } from './termWords.ts';

/** Something that may stand at the caret. */
export interface Candidate<Kind extends string> {
	readonly kind: Kind;
	/** What it is called: `status`, `open`, a label's name, `~alice`. */
	readonly name: string;
	/** What to put in the place of `range`: a key with its colon, a value quoted as need be. */
	readonly insert: string;
}

export interface Completion<Kind extends string> {
	/** What a chosen candidate takes the place of; empty where nothing was typed yet. The caret stands in it. */
	readonly range: TextRange;
	readonly candidates: readonly Candidate<Kind>[];
}

/** What a grammar offers, the likeliest first. */
export interface OfferedTerms<Kind extends string> {
	/** `isNegated`: behind an `!`. */
	readonly keys: (isNegated: boolean) => readonly Candidate<Kind>[];
	/** What may follow a key, which is as typed. */
	readonly values: (key: string) => readonly Candidate<Kind>[];
}

/** More of one kind help nobody; typing on narrows them. */
const most = 50;

/** What may stand at the caret of a text that is still being typed, and so may be wrong anywhere. */
export function completeTerm<Kind extends string>(
	text: string,
	caret: number,
	{ keys, values }: OfferedTerms<Kind>,
): Completion<Kind> {
	const word = splitWords(text).words.find(({ range }) => range.start <= caret && caret <= range.end);
	const skip = word && text.startsWith('!', word.range.start) ? 1 : 0;
	const start = (word?.range.start ?? 0) + skip;
	if (!word || caret < start) {
		return { range: { start: caret, end: caret }, candidates: keys(false) };
	}
	const colon = colonIn(word, skip);
	const valueStart = colon === undefined ? undefined : word.range.start + colon + 1;
	if (valueStart === undefined || caret < valueStart) {
		// The caret stands in a key; where that has its colon already, the value stays.
		const range = { start, end: valueStart ?? word.range.end };
		return { range, candidates: fitting(keys(skip > 0), typedIn(text.slice(start, caret))) };
	}
	const range = { start: valueStart, end: word.range.end };
	return { range, candidates: fitting(values(word.text.slice(skip, colon)), typedIn(text.slice(valueStart, caret))) };
}

export function keyCandidate(name: string): Candidate<'key'> {
	return { kind: 'key', name, insert: `${name}:` };
}

export function valueCandidate<Kind extends string>(kind: Kind, name: string): Candidate<Kind> {
	return { kind, name, insert: quoteValue(name) };
}

/** Whoever signs in, and then others. */
export function peopleCandidates(names: readonly string[]): readonly Candidate<'word' | 'person'>[] {
	return [valueCandidate('word', 'me'), ...names.map((name) => valueCandidate('person', name))];
}

/** What was typed, without the quote that it may begin with. */
function typedIn(raw: string): string {
	return splitWords(raw).words[0]?.text ?? '';
}

/** Names that begin with what was typed, then those that hold it. A `~` need not be typed. */
function fitting<Kind extends string>(
	candidates: readonly Candidate<Kind>[],
	typed: string,
): readonly Candidate<Kind>[] {
	const wanted = foldText(typed);
	const begins = ({ name }: Candidate<Kind>): boolean => {
		const folded = foldText(name);
		return folded.startsWith(wanted) || folded.startsWith(`~${wanted}`);
	};
	const first = candidates.filter(begins);
	const later = candidates.filter((each) => !begins(each) && foldText(each.name).includes(wanted));
	return [...first, ...later].slice(0, most);
}
