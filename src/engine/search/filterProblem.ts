import type { TextRange } from './filterTerm.ts';

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
