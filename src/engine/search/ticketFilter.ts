import { ticketStatuses } from 'sourcehut/port/ticket.ts';
import {
	completeTerm,
	parseTerms,
	personKey,
	valueCandidate,
	wordKey,
	type Completion,
	type FilterGrammar,
	type FilterKey,
	type FilterTerm,
	type ReadingOf,
	type SortOrder,
	type TermPerson,
	type TextCondition,
} from './filterGrammar.ts';
import { wordFor } from './filterWords.ts';

/** Values of `status:`. */
export const statusWords = ['open', 'closed', 'any', ...ticketStatuses] as const;

/** Values of `no:`. */
const noWords = ['assignee', 'label'] as const;

/** Values of `is:`. The forge doesn't know an account's read state. */
export const isWords = ['changed', 'new', 'unread'] as const;

/** Values of `sort:` and `rsort:`. */
const sortWords = ['updated', 'created', 'comments'] as const;

/** Condition of a term. */
export type TicketCondition =
	| { readonly kind: 'status'; readonly status: (typeof statusWords)[number] }
	| { readonly kind: 'submitter' | 'assigned'; readonly person: TermPerson }
	| { readonly kind: 'label'; readonly name: string }
	| { readonly kind: 'no'; readonly what: (typeof noWords)[number] }
	/** Read state of the account: changed since the last look, never opened, or either. */
	| { readonly kind: 'is'; readonly what: (typeof isWords)[number] }
	/** Part of title, description or a loaded comment. */
	| TextCondition;

/** A parsed filter; all terms are required. */
export interface TicketFilter {
	readonly terms: readonly FilterTerm<TicketCondition>[];
	/** `undefined` without a sort term. */
	readonly sort: SortOrder | undefined;
}

/** A parsed ticket filter, or its first error. */
export type TicketFilterReading = ReadingOf<TicketFilter>;

/** Completion values from the known tickets, most frequent first. */
export interface FilterVocabulary {
	readonly labels: readonly string[];
	/** `~alice`, addresses, external names. */
	readonly submitters: readonly string[];
	/** `~alice` */
	readonly assignees: readonly string[];
}

/** Keys of the forge's ticket search plus our `is`. */
export const ticketGrammar: FilterGrammar<TicketCondition, FilterVocabulary> = {
	keys: [
		wordKey('status', statusWords, (status) => ({ kind: 'status', status })),
		personKey(
			'submitter',
			(person) => ({ kind: 'submitter', person }),
			({ submitters }) => submitters,
		),
		personKey(
			'assigned',
			(person) => ({ kind: 'assigned', person }),
			({ assignees }) => assignees,
		),
		{
			kind: 'term',
			name: 'label',
			words: [],
			condition: (name) => ({ kind: 'label', name }),
			offered: ({ labels }) => labels.map((name) => valueCandidate('label', name)),
		},
		wordKey('no', noWords, (what) => ({ kind: 'no', what })),
		wordKey('is', isWords, (what) => ({ kind: 'is', what })),
		sortKey('sort', false),
		sortKey('rsort', true),
	],
};

function sortKey(name: string, isReversed: boolean): FilterKey<never, unknown> {
	return {
		kind: 'sort',
		name,
		words: sortWords,
		order(value) {
			const key = wordFor(value, sortWords);
			return key && { key, isReversed };
		},
		offered: () => sortWords.map((word) => valueCandidate('word', word)),
	};
}

/** The grammar for language models. */
export const filterForms = [
	'status:open|closed|any (open when left out)',
	'submitter:~name',
	'assigned:~name or assigned:me',
	'label:"name"',
	...noWords.map((word) => `no:${word}`),
	`is:${isWords.join('|')} (not looked at by the user)`,
	`sort:${sortWords.join('|')}`,
	'rsort: for the reverse',
	'! before a term for not',
	'and plain words to look for',
].join(', ');

/** As on the forge, an unknown key is an error, even in `http://x`; quotes make it a plain word. */
export function parseTicketFilter(text: string): TicketFilterReading {
	return parseTerms(text, ticketGrammar);
}

/** Completions at the cursor of a ticket filter. */
export function completeTicketFilter(text: string, caret: number, vocabulary: FilterVocabulary): Completion {
	return completeTerm(text, caret, ticketGrammar, vocabulary);
}
