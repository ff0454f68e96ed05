import type { ListRef, PatchsetRef } from './list.ts';
import type { Commit, RepositoryRef } from './repository.ts';
import type { TicketRef } from './ticket.ts';
import type { TrackerRef } from './tracker.ts';
import type { ShortUser } from './user.ts';

/**
 * What a delivery says has to be read again. It is never anything to show: who a delivery is from is not always known,
 * and what it tells may have changed since. Things are the webhook's own; only those of a user's family can be of
 * anybody, so whoever reads them again looks first whether they are followed.
 */
export type DeliveryHint =
	/** All trackers of the account itself: which there are, and what they are like. */
	| { readonly kind: 'ownTrackers' }
	| { readonly kind: 'ownLists' }
	| { readonly kind: 'ownRepositories' }
	| { readonly kind: 'subscriptions' }
	/** Mails that the account sent, to whatever list. */
	| { readonly kind: 'ownMails' }
	/** What a tracker is like; its tickets apart. */
	| { readonly kind: 'tracker'; readonly ref: TrackerRef }
	/** The tickets of a tracker that changed last. */
	| { readonly kind: 'tickets'; readonly tracker: TrackerRef }
	/** One ticket, with its timeline. */
	| { readonly kind: 'ticket'; readonly ref: TicketRef }
	| { readonly kind: 'labels'; readonly tracker: TrackerRef }
	/** What a list is like, or that it is gone. */
	| { readonly kind: 'list'; readonly ref: ListRef }
	/** The newest mails of a list. */
	| { readonly kind: 'mails'; readonly list: ListRef }
	/** `list`: where the delivery says that it is. */
	| { readonly kind: 'mail'; readonly id: number; readonly list: ListRef | undefined }
	/** The newest patchsets of a list, and their statuses. */
	| { readonly kind: 'patchsets'; readonly list: ListRef }
	| { readonly kind: 'patchset'; readonly ref: PatchsetRef }
	/** What a repository is like, or that it is gone. */
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	/** Where the references of a repository stand. */
	| { readonly kind: 'references'; readonly repository: RepositoryRef };

/** What a push says of itself (docs/protocol.md#push-events). To be told as said by a delivery, and by nobody else. */
export interface PushSaid {
	/** UUID. */
	readonly pushId: string;
	readonly pusher: ShortUser;
	readonly references: readonly PushedReference[];
}

/** A reference that was created, moved or deleted. */
export interface PushedReference {
	/** Full name, as `refs/heads/master`. */
	readonly name: string;
	/** The commit that it led to; `undefined` for a new reference. Never both are `undefined`. */
	readonly before: Commit | undefined;
	/** The commit that it leads to; `undefined` for a deleted reference. */
	readonly after: Commit | undefined;
	readonly annotatedTag: { readonly name: string; readonly message: string } | undefined;
}

/** What a delivery comes to. */
export interface DeliveryReading {
	/** Never empty: of what cannot be read the whole family is to be read again. */
	readonly again: readonly DeliveryHint[];
	/** Of a push whose body could be read. */
	readonly push: PushSaid | undefined;
}
