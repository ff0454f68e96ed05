import type { TextRange } from './filterTerm.ts';

/** Why a filter's text cannot be taken. Every one names the wrong part, and what is needed to say a next step. */
export type FilterProblem = { readonly range: TextRange } & (
	| { readonly kind: 'unclosedQuote'; readonly quote: string }
	/** A backslash with nothing after it. */
	| { readonly kind: 'danglingEscape' }
	/** An `!` with nothing after it. */
	| { readonly kind: 'emptyNegation' }
	/** `nearest`: the known key that looks most like it, if one does. */
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
