import type { isWords, noWords, statusWords } from './filterGrammar.ts';

/** An error in a filter, with its range and the data for a next step. */
export type FilterProblem = { readonly range: TextRange } & (
	| { readonly kind: 'unclosedQuote'; readonly quote: string }
	/** A trailing backslash. */
	| { readonly kind: 'danglingEscape' }
	/** A lone `!`. */
	| { readonly kind: 'emptyNegation' }
	/** `nearest`: the most similar known key, if any. */
	| { readonly kind: 'unknownKey'; readonly key: string; readonly nearest: string | undefined }
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

/** A range of UTF-16 positions, exclusive `end`. */
export interface TextRange {
	readonly start: number;
	readonly end: number;
}

/** Sort keys; `number` is ours, the forge has the other three. */
export const sortKeys = ['updated', 'created', 'comments', 'number'] as const;
export type SortKey = (typeof sortKeys)[number];

/** Latest, most or highest first unless `isReversed`. */
export interface SortOrder {
	readonly key: SortKey;
	readonly isReversed: boolean;
}

/** `name`: `~alice`, an e-mail address or an external name, as typed. */
export type TermPerson = { readonly kind: 'me' } | { readonly kind: 'named'; readonly name: string };

/** Condition of a term. */
export type Condition =
	| { readonly kind: 'status'; readonly status: (typeof statusWords)[number] }
	| { readonly kind: 'submitter'; readonly person: TermPerson }
	| { readonly kind: 'assigned'; readonly person: TermPerson }
	| { readonly kind: 'label'; readonly name: string }
	| { readonly kind: 'no'; readonly what: (typeof noWords)[number] }
	/** Read state of the account: changed since the last look, never opened, or either. */
	| { readonly kind: 'is'; readonly what: (typeof isWords)[number] }
	/** Part of title, description or a loaded comment. */
	| { readonly kind: 'text'; readonly text: string };

/** One required term. */
export interface FilterTerm {
	readonly condition: Condition;
	readonly isNegated: boolean;
	readonly range: TextRange;
}

/** A parsed filter; all terms are required. */
export interface ParsedFilter {
	readonly terms: readonly FilterTerm[];
	/** `undefined` without a sort term. */
	readonly sort: SortOrder | undefined;
}
