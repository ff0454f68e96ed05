import type { Mark } from '../../forge/mark.ts';
import { patchsetStatuses } from '../../forge/list.ts';

/**
 * Keys of the forge's search of lists (docs/protocol.md#list-search) with words of their own, in the order in which
 * they are offered.
 */
export const listKeys = ['status', 'is', 'from', 'to', 'cc', 'prefix', 'sender-timestamp'] as const;
export type ListKey = (typeof listKeys)[number];

/** What may follow `is:`; the last ones are ours, and no word of the forge's. */
export const mailKinds = ['patch', 'reply', 'request-pull', 'thread', 'changed', 'new', 'unread'] as const;
export type MailKind = (typeof mailKinds)[number];

/** Whether that asks for what the account has looked at. */
export function isMarkKind(what: MailKind): what is Mark | 'unread' {
	return what === 'changed' || what === 'new' || what === 'unread';
}

/** Headers that are worth offering; any other may be written as well. */
export const offeredHeaders = ['message-id', 'in-reply-to', 'reply-to', 'list-id', 'x-mailer'] as const;

/** The words that may follow a key; none where anything may. `seen` are statuses that patchsets have, as the server spells them. */
export function listWordsAfter(key: ListKey, seen: readonly string[] = []): readonly string[] {
	switch (key) {
		case 'status':
			return Array.from(new Set<string>([...patchsetStatuses, ...seen]));
		case 'is':
			return mailKinds;
		case 'from':
		case 'to':
		case 'cc':
		case 'prefix':
		case 'sender-timestamp':
			return [];
	}
}
