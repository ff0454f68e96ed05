import type { ListRef, MailingList, Patchset, PatchsetRef, ShortEmail, Subscription } from '../../forge/list.ts';

/** Something that is newer than what is known, whoever tells it: an answer to a command, a poll, a delivery. */
export type ListNews =
	| { readonly kind: 'listChanged'; readonly list: MailingList }
	| { readonly kind: 'listDeleted'; readonly list: ListRef }
	| { readonly kind: 'subscribed'; readonly subscription: Subscription }
	| { readonly kind: 'unsubscribed'; readonly subscriptionId: number }
	| { readonly kind: 'mailArrived'; readonly list: ListRef; readonly mail: ShortEmail }
	/** Servers do not always tell the list of a patchset (docs/protocol.md#patchset-fields). */
	| { readonly kind: 'patchsetChanged'; readonly list: ListRef; readonly patchset: Patchset };

/** What changed, as narrowly as it is known. */
export type ListStoreChange =
	/** Lists came or went, or what ties the account to them changed. */
	| { readonly kind: 'lists' }
	/** A list itself. */
	| { readonly kind: 'list'; readonly list: ListRef }
	| { readonly kind: 'patchsets'; readonly list: ListRef }
	| { readonly kind: 'patchset'; readonly patchset: PatchsetRef }
	| { readonly kind: 'posts'; readonly list: ListRef }
	| { readonly kind: 'thread'; readonly list: ListRef; readonly id: number };
