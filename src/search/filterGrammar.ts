import { ticketStatuses } from '../forge/ticket.ts';

/** Keys of the forge's search (domain: search grammar) and `is`, which is ours, in the order in which they are offered. */
export const filterKeys = ['status', 'submitter', 'assigned', 'label', 'no', 'is', 'sort', 'rsort'] as const;
export type FilterKey = (typeof filterKeys)[number];

/** What may follow `status:`. */
export const statusWords = ['open', 'closed', 'any', ...ticketStatuses] as const;

/** What may follow `no:`. */
export const noWords = ['assignee', 'label'] as const;

/** What may follow `is:`. The forge does not know what an account has looked at. */
export const isWords = ['changed', 'new', 'unread'] as const;

/** What may follow `sort:` and `rsort:`. */
export const sortWords = ['updated', 'created', 'comments'] as const;

/** More characters than these make no filter; the setting for saved filters has the same limit. */
export const longestFilter = 500;

/** The words that may follow a key; none where anything may. */
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
