import type { ListRef, PatchsetRef } from './list.ts';
import type { Commit, RepositoryRef } from './repository.ts';
import type { TicketRef } from './ticket.ts';
import type { TrackerRef } from './tracker.ts';
import type { ShortUser } from './user.ts';

/**
 * Stale data after a delivery. Never show it: the sender may be unverified, and the data may have changed since. Only
 * hints of user webhooks can name foreign resources, so callers check that the account follows them.
 */
export type DeliveryHint =
	/** All trackers of the account, with their details. */
	| { readonly kind: 'ownTrackers' }
	| { readonly kind: 'ownLists' }
	| { readonly kind: 'ownRepositories' }
	| { readonly kind: 'subscriptions' }
	/** Mails sent by the account, in all lists. */
	| { readonly kind: 'ownMails' }
	/** Tracker details, without its tickets. */
	| { readonly kind: 'tracker'; readonly ref: TrackerRef }
	/** The most recently changed tickets of a tracker. */
	| { readonly kind: 'tickets'; readonly tracker: TrackerRef }
	/** One ticket, with its timeline. */
	| { readonly kind: 'ticket'; readonly ref: TicketRef }
	| { readonly kind: 'labels'; readonly tracker: TrackerRef }
	/** List details, or its deletion. */
	| { readonly kind: 'list'; readonly ref: ListRef }
	/** The newest mails of a list. */
	| { readonly kind: 'mails'; readonly list: ListRef }
	/** `list`: as stated by the delivery. */
	| { readonly kind: 'mail'; readonly id: number; readonly list: ListRef | undefined }
	/** The newest patchsets of a list, and their statuses. */
	| { readonly kind: 'patchsets'; readonly list: ListRef }
	| { readonly kind: 'patchset'; readonly ref: PatchsetRef }
	/** Repository details, or its deletion. */
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	/** Targets of a repository's references. */
	| { readonly kind: 'references'; readonly repository: RepositoryRef };

/** Content of a push event (docs/protocol.md#push-events). Unverified: attribute it to the delivery only. */
export interface PushSaid {
	/** UUID. */
	readonly pushId: string;
	readonly pusher: ShortUser;
	readonly references: readonly PushedReference[];
}

/** A reference that was created, moved or deleted. */
export interface PushedReference {
	/** Full name, as `refs/heads/master`; `undefined` for a new or deleted one whose name the server omits. */
	readonly name: string | undefined;
	/** Without a name: id of the new or deleted object, an annotated tag's own. */
	readonly object?: string;
	/** Previous commit; `undefined` for a new reference. `before` or `after` is always set. */
	readonly before: Commit | undefined;
	/** New commit; `undefined` for a deleted reference. */
	readonly after: Commit | undefined;
	readonly annotatedTag: { readonly name: string; readonly message: string } | undefined;
}

export interface DeliveryReading {
	/** Never empty. An unreadable body makes the whole family stale. */
	readonly again: readonly DeliveryHint[];
	/** Set for a push with a readable body. */
	readonly push: PushSaid | undefined;
}
