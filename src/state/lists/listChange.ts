import type { ListRef, MailingList, Patchset, PatchsetRef, ShortEmail, Subscription } from '../../forge/list.ts';
import type { ReadBefore, ReadOnce } from '../shared/listing.ts';
import type { PageRead } from '../shared/pageRead.ts';
import type { MailSummary, Series } from './mailSummary.ts';

/** A conversation as it came, with the number that its reading began with. */
export interface FreshThread {
	readonly list: ListRef;
	/** Number of the first mail. */
	readonly id: number;
	readonly mails: readonly MailSummary[];
	readonly begun: number;
}

/** The mails of a patchset. */
export interface SeriesReading {
	readonly kind: 'seriesRead';
	readonly ref: PatchsetRef;
	readonly series: Series;
}

/**
 * What was read: what came since the request began is newer. `stamp` is the count of changes at that moment. Of what was
 * recalled, another window has read it, and the forge is away or being asked. What has failed the forge did not give, and
 * was not away either.
 */
export type ListReading =
	| { readonly kind: 'ownListsRead'; readonly page: PageRead<MailingList> }
	| { readonly kind: 'subscriptionsRead'; readonly page: PageRead<Subscription> }
	| { readonly kind: 'patchsetsRead'; readonly list: ListRef; readonly page: PageRead<Patchset> }
	| { readonly kind: 'postsRead'; readonly list: ListRef; readonly page: PageRead<ShortEmail> }
	| { readonly kind: 'listRead'; readonly list: MailingList; readonly stamp: number }
	| { readonly kind: 'patchsetRead'; readonly ref: PatchsetRef; readonly patchset: Patchset; readonly stamp: number }
	| {
			readonly kind: 'patchsetRecalled';
			readonly ref: PatchsetRef;
			readonly old: ReadBefore & ReadOnce<Patchset>;
			readonly stamp: number;
	  }
	| { readonly kind: 'patchsetFailed'; readonly ref: PatchsetRef }
	| SeriesReading
	| ({ readonly kind: 'threadRead' } & FreshThread)
	| ({ readonly kind: 'threadRecalled'; readonly before: ReadBefore } & FreshThread)
	| { readonly kind: 'threadFailed'; readonly list: ListRef; readonly id: number };

/** What is different, as narrowly as it is known. */
export type ListStoreChange =
	/** Lists came or went, or what ties the account to them changed. */
	| { readonly kind: 'lists' }
	/** A list itself. */
	| { readonly kind: 'list'; readonly list: ListRef }
	| { readonly kind: 'patchsets'; readonly list: ListRef }
	| { readonly kind: 'patchset'; readonly patchset: PatchsetRef }
	| { readonly kind: 'posts'; readonly list: ListRef }
	| { readonly kind: 'thread'; readonly list: ListRef; readonly id: number };
