import type { FilterProblem, TermPerson, TextRange } from '../filterTerm.ts';
import type { MailKind } from './listGrammar.ts';

/** Half-open interval: includes `fromMs`, excludes `toMs`; infinite where unbounded. */
export interface TimeSpan {
	readonly fromMs: number;
	readonly toMs: number;
}

export interface PersonCondition {
	readonly kind: 'from' | 'to' | 'cc';
	readonly person: TermPerson;
}

/** Condition of a term. */
export type ListCondition =
	| { readonly kind: 'is'; readonly what: MailKind }
	| PersonCondition
	/** In the server's spelling, in lower case. */
	| { readonly kind: 'status'; readonly status: string }
	| { readonly kind: 'prefix'; readonly prefix: string }
	/** The Date header; `written`: the typed value. */
	| { readonly kind: 'sent'; readonly span: TimeSpan; readonly written: string }
	/** Any header; name in lower case. */
	| { readonly kind: 'header'; readonly name: string; readonly value: string }
	/** Part of the subject or of a loaded text. */
	| { readonly kind: 'text'; readonly text: string };

/** One required term. */
export interface ListTerm {
	readonly condition: ListCondition;
	readonly isNegated: boolean;
	readonly range: TextRange;
}

/** A parsed filter; all terms are required. */
export interface ListFilter {
	readonly terms: readonly ListTerm[];
	/** Warnings for header names that look like a mistyped key; the filter is valid. */
	readonly hints: readonly FilterProblem[];
}
