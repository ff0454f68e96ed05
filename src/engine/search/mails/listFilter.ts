import { patchsetStatuses } from 'sourcehut/port/list.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import {
	completeTerm,
	parseTerms,
	personKey,
	valueCandidate,
	wordKey,
	type Completion,
	type FilterGrammar,
	type FilterTerm,
	type ReadingOf,
	type TermPerson,
	type TextCondition,
} from '../filterGrammar.ts';
import type { FilterProblem } from '../filterWords.ts';

/** Values of `is:`; the last ones are ours, unknown to the forge. */
export const mailKinds = ['patch', 'reply', 'request-pull', 'thread', 'changed', 'new', 'unread'] as const;
export type MailKind = (typeof mailKinds)[number];

/** True for values about read state. */
export function isMarkKind(what: MailKind): what is Mark | 'unread' {
	return what === 'changed' || what === 'new' || what === 'unread';
}

/** Half-open interval: includes `fromMs`, excludes `toMs`; infinite where unbounded. */
interface TimeSpan {
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
	| TextCondition;

/** A parsed filter; all terms are required. */
export interface ListFilter {
	readonly terms: readonly FilterTerm<ListCondition>[];
	/** Warnings for header names that look like a mistyped key; the filter is valid. */
	readonly hints: readonly FilterProblem[];
}

/** A parsed list filter, or its first error. */
export type ListFilterReading = ReadingOf<ListFilter>;

/** Completion values of a list, most frequent first. */
export interface ListVocabulary {
	/** `~alice`, addresses. */
	readonly people: readonly string[];
	readonly prefixes: readonly string[];
	/** Statuses of known patchsets, in the server's spelling. */
	readonly statuses: readonly string[];
}

/**
 * The forge's list search (docs/protocol.md#list-search). Like on the forge, an unknown key is a header name, except in
 * web addresses. `seenStatuses`: statuses beyond the known ones.
 */
export function listGrammar(seenStatuses: readonly string[]): FilterGrammar<ListCondition, ListVocabulary> {
	const statuses = [...new Set<string>([...patchsetStatuses, ...seenStatuses])];
	const person = (kind: PersonCondition['kind']) =>
		personKey(
			kind,
			(named): ListCondition => ({ kind, person: named }),
			({ people }: ListVocabulary) => people,
		);
	return {
		keys: [
			wordKey('status', statuses, (status) => ({ kind: 'status', status: status.toLowerCase() })),
			wordKey('is', mailKinds, (what) => ({ kind: 'is', what })),
			person('from'),
			person('to'),
			person('cc'),
			{
				kind: 'term',
				name: 'prefix',
				words: [],
				condition: (prefix) => ({ kind: 'prefix', prefix }),
				offered: ({ prefixes }) => prefixes.map((name) => valueCandidate('prefix', name)),
			},
			{
				kind: 'term',
				name: 'sender-timestamp',
				words: [],
				condition(written) {
					const span = timeSpanOf(written);
					return span && { kind: 'sent', span, written };
				},
				offered: () => [],
			},
		],
		headers: {
			offered: ['message-id', 'in-reply-to', 'reply-to', 'list-id', 'x-mailer'],
			usual: ['subject', 'date', 'sender', 'bcc'],
			condition: (name, value) => ({ kind: 'header', name, value }),
		},
	};
}

export function parseListFilter(text: string, seenStatuses: readonly string[] = []): ListFilterReading {
	return parseTerms(text, listGrammar(seenStatuses));
}

/** Completions at the cursor of a list filter. */
export function completeListFilter(text: string, caret: number, vocabulary: ListVocabulary): Completion {
	return completeTerm(text, caret, listGrammar(vocabulary.statuses), vocabulary);
}

/**
 * Parses the value of `sender-timestamp:`: Unix seconds as on the forge; a year, month or day in UTC; one of these
 * after `<`, `<=`, `>` or `>=`; or a range with `..`. `undefined` for anything else.
 */
export function timeSpanOf(text: string): TimeSpan | undefined {
	const [first = '', last, ...more] = text.split('..');
	if (last !== undefined) {
		const [from, to] = [moment(first), moment(last)];
		return more.length > 0 || from === undefined || to === undefined || from.fromMs >= to.toMs
			? undefined
			: { fromMs: from.fromMs, toMs: to.toMs };
	}
	const sign = /^[<>]=?/.exec(text)?.[0] ?? '';
	const at = moment(text.slice(sign.length));
	if (at === undefined || sign === '') {
		return at;
	}
	const isOpenBelow = sign.startsWith('<');
	// The operator decides whether the whole period is included.
	const edgeMs = isOpenBelow === (sign.length === 2) ? at.toMs : at.fromMs;
	return isOpenBelow ? { fromMs: -Infinity, toMs: edgeMs } : { fromMs: edgeMs, toMs: Infinity };
}

/** The period of a second, day, month or year. Four digits are a year. */
function moment(text: string): TimeSpan | undefined {
	if (/^\d{5,12}$/.test(text)) {
		return { fromMs: Number(text) * 1000, toMs: (Number(text) + 1) * 1000 };
	}
	const [, years, months, days] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
	if (years === undefined) {
		return undefined;
	}
	const [year, month, day] = [Number(years), Number(months ?? 1), Number(days ?? 1)];
	const fromMs = Date.UTC(year, month - 1, day);
	const isDate = new Date(fromMs).getUTCMonth() === month - 1 && new Date(fromMs).getUTCDate() === day;
	const toMs =
		months === undefined
			? Date.UTC(year + 1)
			: days === undefined
				? Date.UTC(year, month)
				: Date.UTC(year, month - 1, day + 1);
	return isDate && year >= 1000 ? { fromMs, toMs } : undefined;
}
