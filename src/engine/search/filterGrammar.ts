import { ticketStatuses } from 'sourcehut/port/ticket.ts';

/** Keys of the forge's ticket search plus our `is`, in completion order. */
export const filterKeys = ['status', 'submitter', 'assigned', 'label', 'no', 'is', 'sort', 'rsort'] as const;
export type FilterKey = (typeof filterKeys)[number];

/** Values of `status:`. */
export const statusWords = ['open', 'closed', 'any', ...ticketStatuses] as const;

/** Values of `no:`. */
export const noWords = ['assignee', 'label'] as const;

/** Values of `is:`. The forge doesn't know an account's read state. */
export const isWords = ['changed', 'new', 'unread'] as const;

/** Values of `sort:` and `rsort:`. */
export const sortWords = ['updated', 'created', 'comments'] as const;

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

/** Maximum length; the setting for saved filters has the same limit. */
export const longestFilter = 500;

/** Allowed values of a key; empty when any value is allowed. */
export function wordsAfter(key: FilterKey): readonly string[] {
	switch (key) {
		case 'status':
			return statusWords;
		case 'no':
			return noWords;
		case 'is':
			return isWords;
		case 'sort':
		case 'rsort':
			return sortWords;
		case 'submitter':
		case 'assigned':
		case 'label':
			return [];
	}
}
