import {
	colonIn,
	nearest,
	problemOf,
	quoteValue,
	splitWords,
	termWords,
	wordFor,
	type FilterProblem,
	type KeyedWord,
	type TextRange,
	type WrongText,
} from './filterWords.ts';
import { foldText } from './foldText.ts';

/** The words of a filter language. Parser and completion follow from it. */
export interface FilterGrammar<Condition, Vocabulary> {
	/** In completion order. */
	readonly keys: readonly FilterKey<Condition, Vocabulary>[];
	/** Mail headers as further keys. Without them, an unknown key is an error. */
	readonly headers?: {
		readonly offered: readonly string[];
		/** Headers that are no typo of a key, besides the offered ones. */
		readonly usual: readonly string[];
		readonly condition: (name: string, value: string) => Condition;
	};
}

/** A key of a grammar. Words are case-insensitive. */
export type FilterKey<Condition, Vocabulary> = {
	readonly name: string;
	/** Allowed values; empty when any value is allowed. */
	readonly words: readonly string[];
	/** Completions of its value, best first. */
	readonly offered: (vocabulary: Vocabulary) => readonly Candidate[];
} & (
	| { readonly kind: 'term'; readonly condition: (value: string) => Condition | undefined }
	/** The order of the results: at most once, and never negated. */
	| { readonly kind: 'sort'; readonly order: (value: string) => SortOrder | undefined }
);

/** `name`: `~alice`, an e-mail address or an external name, as typed. */
export type TermPerson = { readonly kind: 'me' } | { readonly kind: 'named'; readonly name: string };

/** Part of a searched text. */
export interface TextCondition {
	readonly kind: 'text';
	readonly text: string;
}

/** One required term. */
export interface FilterTerm<Condition> {
	readonly condition: Condition;
	readonly isNegated: boolean;
	readonly range: TextRange;
}

/** Sort keys; `number` is ours, the forge has the other three. */
export const sortKeys = ['updated', 'created', 'comments', 'number'] as const;
export type SortKey = (typeof sortKeys)[number];

/** Latest, most or highest first unless `isReversed`. */
export interface SortOrder {
	readonly key: SortKey;
	readonly isReversed: boolean;
}

/** A parsed filter, or its first error. */
export type ReadingOf<Filter> = { readonly kind: 'filter'; readonly filter: Filter } | WrongText;

/** A key with fixed values. */
export function wordKey<Word extends string, Condition>(
	name: string,
	words: readonly Word[],
	condition: (word: Word) => Condition,
): FilterKey<Condition, unknown> {
	return {
		kind: 'term',
		name,
		words,
		condition(value) {
			const word = wordFor(value, words);
			return word === undefined ? undefined : condition(word);
		},
		offered: () => words.map((word) => valueCandidate('word', word)),
	};
}

/** A key with any person as value. Completion offers `me` first. */
export function personKey<Condition, Vocabulary>(
	name: string,
	condition: (person: TermPerson) => Condition,
	people: (vocabulary: Vocabulary) => readonly string[],
): FilterKey<Condition, Vocabulary> {
	return {
		kind: 'term',
		name,
		words: [],
		condition: (value) => condition(foldText(value) === 'me' ? { kind: 'me' } : { kind: 'named', name: value }),
		offered: (vocabulary) => [
			valueCandidate('word', 'me'),
			...people(vocabulary).map((person) => valueCandidate('person', person)),
		],
	};
}

export function valueCandidate(kind: Candidate['kind'], name: string): Candidate {
	return { kind, name, insert: quoteValue(name) };
}

/**
 * Blanks separate terms, and all are required. `!` negates, and words without a key search the texts. `hints`: warnings
 * for headers that look like a mistyped key; the filter is valid.
 */
export function parseTerms<Condition, Vocabulary>(
	text: string,
	grammar: FilterGrammar<Condition, Vocabulary>,
): ReadingOf<{
	readonly terms: readonly FilterTerm<Condition | TextCondition>[];
	readonly sort: SortOrder | undefined;
	readonly hints: readonly FilterProblem[];
}> {
	const terms: FilterTerm<Condition | TextCondition>[] = [];
	const hints: FilterProblem[] = [];
	let sort: SortOrder | undefined;
	for (const word of termWords(text)) {
		if (word.kind === 'problem') {
			return word;
		}
		const { isNegated, range } = word;
		if (word.kind === 'plain' || (grammar.headers && isText(word))) {
			const condition = {
				kind: 'text',
				text: word.kind === 'plain' ? word.text : `${word.key}:${word.value}`,
			} as const;
			terms.push({ condition, isNegated, range });
			continue;
		}
		const reading = readKeyed(word, grammar);
		switch (reading.kind) {
			case 'problem':
				return reading;
			case 'term':
				terms.push({ condition: reading.condition, isNegated, range });
				hints.push(...(reading.hint ? [reading.hint] : []));
				break;
			case 'sort':
				if (sort) {
					return problemOf({ kind: 'secondSort', range });
				}
				sort = reading.sort;
		}
	}
	return { kind: 'filter', filter: { terms, sort, hints } };
}

/** True for a web address, or a key that can't be a header. */
function isText({ key, value }: KeyedWord): boolean {
	return value.startsWith('//') || !/^[A-Za-z][A-Za-z0-9-]*$/.test(key);
}

type KeyedReading<Condition> =
	| { readonly kind: 'term'; readonly condition: Condition; readonly hint?: FilterProblem | undefined }
	| { readonly kind: 'sort'; readonly sort: SortOrder }
	| WrongText;

function readKeyed<Condition, Vocabulary>(
	{ key: typed, value, isNegated, range, keyRange, valueRange }: KeyedWord,
	{ keys, headers }: FilterGrammar<Condition, Vocabulary>,
): KeyedReading<Condition> {
	const name = foldText(typed);
	const key = keys.find((each) => each.name === name);
	const missingValue = problemOf({ kind: 'missingValue', key: name, values: key?.words ?? [], range });
	if (!key) {
		const names = keys.map((each) => each.name);
		const unknown = { kind: 'unknownKey', key: typed, nearest: nearest(name, names), range: keyRange } as const;
		if (!headers || value === '') {
			return headers ? missingValue : problemOf(unknown);
		}
		// A rare header similar to a key is probably a typo.
		const isTypo = unknown.nearest !== undefined && ![...headers.offered, ...headers.usual].includes(name);
		return { kind: 'term', condition: headers.condition(name, value), hint: isTypo ? unknown : undefined };
	}
	if (value === '') {
		return missingValue;
	}
	if (key.kind === 'sort' && isNegated) {
		return problemOf({ kind: 'negatedSort', key: name, range });
	}
	const { words } = key;
	if (key.kind === 'sort') {
		const sort = key.order(value);
		if (sort) {
			return { kind: 'sort', sort };
		}
	} else {
		const condition = key.condition(value);
		if (condition !== undefined) {
			return { kind: 'term', condition };
		}
	}
	const near = nearest(foldText(value), words);
	return problemOf({ kind: 'unknownValue', key: name, value, values: words, nearest: near, range: valueRange });
}

/** A completion. */
export interface Candidate {
	readonly kind: 'key' | 'header' | 'word' | 'label' | 'prefix' | 'person';
	/** Label: `status`, `open`, a label's name, `~alice`. */
	readonly name: string;
	/** Text to insert in `range`: a key with its colon, or a quoted value. */
	readonly insert: string;
}

export interface Completion {
	/** The range to replace, around the cursor; may be empty. */
	readonly range: TextRange;
	readonly candidates: readonly Candidate[];
}

/** Limit per kind; typing narrows the list. */
const most = 50;

/** Completions at the cursor of an unfinished, maybe invalid text. */
export function completeTerm<Condition, Vocabulary>(
	text: string,
	caret: number,
	{ keys, headers }: FilterGrammar<Condition, Vocabulary>,
	vocabulary: Vocabulary,
): Completion {
	const keyCandidates = (isNegated: boolean): readonly Candidate[] => [
		...keys
			.filter(({ kind }) => kind === 'term' || !isNegated)
			.map(({ name }) => ({ kind: 'key', name, insert: `${name}:` }) as const),
		...(headers?.offered ?? []).map((name) => ({ kind: 'header', name, insert: `${name}:` }) as const),
	];
	/** Prefix matches first, then other matches. The `~` is optional. `raw` may begin with a quote. */
	const fitting = (candidates: readonly Candidate[], raw: string): readonly Candidate[] => {
		const wanted = foldText(splitWords(raw).words[0]?.text ?? '');
		const begins = ({ name }: Candidate): boolean => {
			const folded = foldText(name);
			return folded.startsWith(wanted) || folded.startsWith(`~${wanted}`);
		};
		const first = candidates.filter(begins);
		const later = candidates.filter((each) => !begins(each) && foldText(each.name).includes(wanted));
		return [...first, ...later].slice(0, most);
	};
	const word = splitWords(text).words.find(({ range }) => range.start <= caret && caret <= range.end);
	const skip = word && text.startsWith('!', word.range.start) ? 1 : 0;
	const start = (word?.range.start ?? 0) + skip;
	if (!word || caret < start) {
		return { range: { start: caret, end: caret }, candidates: keyCandidates(false) };
	}
	const colon = colonIn(word, skip);
	const valueStart = colon === undefined ? undefined : word.range.start + colon + 1;
	if (valueStart === undefined || caret < valueStart) {
		// The cursor is in a key; an existing value stays.
		const range = { start, end: valueStart ?? word.range.end };
		return { range, candidates: fitting(keyCandidates(skip > 0), text.slice(start, caret)) };
	}
	const typed = foldText(word.text.slice(skip, colon));
	const offered = keys.find(({ name }) => name === typed)?.offered(vocabulary) ?? [];
	const range = { start: valueStart, end: word.range.end };
	return { range, candidates: fitting(offered, text.slice(valueStart, caret)) };
}
