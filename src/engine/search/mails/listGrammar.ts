import type { Mark } from 'sourcehut/port/mark.ts';
import { patchsetStatuses } from 'sourcehut/port/list.ts';

/** Keys of the forge's list search with a fixed vocabulary (docs/protocol.md#list-search), in completion order. */
export const listKeys = ['status', 'is', 'from', 'to', 'cc', 'prefix', 'sender-timestamp'] as const;
export type ListKey = (typeof listKeys)[number];

/** Values of `is:`; the last ones are ours, unknown to the forge. */
export const mailKinds = ['patch', 'reply', 'request-pull', 'thread', 'changed', 'new', 'unread'] as const;
export type MailKind = (typeof mailKinds)[number];

/** True for values about read state. */
export function isMarkKind(what: MailKind): what is Mark | 'unread' {
	return what === 'changed' || what === 'new' || what === 'unread';
}

/** Suggested headers; any other works too. */
export const offeredHeaders = ['message-id', 'in-reply-to', 'reply-to', 'list-id', 'x-mailer'] as const;

/** Allowed values of a key; empty when any value is allowed. `seen`: further statuses of known patchsets. */
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
