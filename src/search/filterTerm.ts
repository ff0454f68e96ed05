import type { isWords, noWords, statusWords } from './filterGrammar.ts';

/** A part of a filter's text: UTF-16 positions, `end` not counted in. */
export interface TextRange {
	readonly start: number;
	readonly end: number;
}

/** What tickets may be sorted by; `number` is ours, the forge's grammar knows the other three. */
export const sortKeys = ['updated', 'created', 'comments', 'number'] as const;
export type SortKey = (typeof sortKeys)[number];

/** Latest, most or highest first; `isReversed` turns it round. */
export interface SortOrder {
	readonly key: SortKey;
	readonly isReversed: boolean;
}

/** Whom a term names. `name` is `~alice`, an e-mail address or an outsider's name, as typed. */
export type TermPerson = { readonly kind: 'me' } | { readonly kind: 'named'; readonly name: string };

/** What a term asks of a ticket. */
export type Condition =
	| { readonly kind: 'status'; readonly status: (typeof statusWords)[number] }
	| { readonly kind: 'submitter'; readonly person: TermPerson }
	| { readonly kind: 'assigned'; readonly person: TermPerson }
	| { readonly kind: 'label'; readonly name: string }
	| { readonly kind: 'no'; readonly what: (typeof noWords)[number] }
	/** What the account has not looked at: changed since, never opened, or either. */
	| { readonly kind: 'is'; readonly what: (typeof isWords)[number] }
	/** A part of title, description or a comment that was read. */
	| { readonly kind: 'text'; readonly text: string };

/** One term that tickets have to meet. */
export interface FilterTerm {
	readonly condition: Condition;
	readonly isNegated: boolean;
	readonly range: TextRange;
}

/** A filter's text, understood. Tickets have to meet all terms. */
export interface ParsedFilter {
	readonly terms: readonly FilterTerm[];
	/** `undefined` where the text names no order. */
	readonly sort: SortOrder | undefined;
}
