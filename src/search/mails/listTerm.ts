import type { FilterProblem } from '../filterProblem.ts';
import type { TermPerson, TextRange } from '../filterTerm.ts';
import type { MailKind } from './listGrammar.ts';

/** A span of time: `fromMs` counts in, `toMs` does not; infinite where it is open. */
export interface TimeSpan {
	readonly fromMs: number;
	readonly toMs: number;
}

/** Whom a mail is from, or goes to. */
export interface PersonCondition {
	readonly kind: 'from' | 'to' | 'cc';
	readonly person: TermPerson;
}

/** What a term asks of a mail or of a patchset. */
export type ListCondition =
	| { readonly kind: 'is'; readonly what: MailKind }
	| PersonCondition
	/** As the server spells it, in lower case. */
	| { readonly kind: 'status'; readonly status: string }
	| { readonly kind: 'prefix'; readonly prefix: string }
	/** The Date header; `written` is the value as typed. */
	| { readonly kind: 'sent'; readonly span: TimeSpan; readonly written: string }
	/** Any header, by its name in lower case. */
	| { readonly kind: 'header'; readonly name: string; readonly value: string }
	/** A part of the subject or of a text that was read. */
	| { readonly kind: 'text'; readonly text: string };

/** One term that has to be met. */
export interface ListTerm {
	readonly condition: ListCondition;
	readonly isNegated: boolean;
	readonly range: TextRange;
}

/** A filter's text, understood. All terms have to be met. */
export interface ListFilter {
	readonly terms: readonly ListTerm[];
	/** Keys that are looked for among the headers and look like a mistyped key; nothing is wrong with the filter. */
	readonly hints: readonly FilterProblem[];
}
