import { ticketStatuses } from '../forge/ticket.ts';

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
