import type { TextRange } from './filterTerm.ts';
import { foldText } from './foldText.ts';
import { quoteValue } from './quoteValue.ts';
import { splitWords, colonIn } from './termWords.ts';

/** A completion. */
export interface Candidate<Kind extends string> {
	readonly kind: Kind;
	/** Label: `status`, `open`, a label's name, `~alice`. */
	readonly name: string;
	/** Text to insert in `range`: a key with its colon, or a quoted value. */
	readonly insert: string;
}

export interface Completion<Kind extends string> {
	/** The range to replace, around the cursor; may be empty. */
	readonly range: TextRange;
	readonly candidates: readonly Candidate<Kind>[];
}

/** Completions of a grammar, best first. */
export interface OfferedTerms<Kind extends string> {
	/** `isNegated`: after an `!`. */
	readonly keys: (isNegated: boolean) => readonly Candidate<Kind>[];
	/** Values of a key as typed. */
	readonly values: (key: string) => readonly Candidate<Kind>[];
}

/** Limit per kind; typing narrows the list. */
const most = 50;

/** Completions at the cursor of an unfinished, maybe invalid text. */
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
		// The cursor is in a key; an existing value stays.
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

/** `me` first. */
export function peopleCandidates(names: readonly string[]): readonly Candidate<'word' | 'person'>[] {
	return [valueCandidate('word', 'me'), ...names.map((name) => valueCandidate('person', name))];
}

/** The typed text without an opening quote. */
function typedIn(raw: string): string {
	return splitWords(raw).words[0]?.text ?? '';
}

/** Prefix matches first, then other matches. The `~` is optional. */
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
