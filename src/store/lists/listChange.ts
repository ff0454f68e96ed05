import type { ListNews } from 'sourcehut/port/news.ts';
import type { ListRef, MailingList, Patchset, PatchsetRef, ShortEmail, Subscription } from 'sourcehut/port/list.ts';
import type { ReadBefore, ReadOnce } from '../shared/listing.ts';
import { isAnswer, type PageRead } from '../shared/pageRead.ts';
import type { MailSummary, Series } from './mailSummary.ts';

/** A thread as read. `begun`: see `ReadOrder`. */
export interface FreshThread {
	readonly list: ListRef;
	/** Number of the first mail. */
	readonly id: number;
	readonly mails: readonly MailSummary[];
	readonly begun: number;
}

export interface SeriesReading {
	readonly kind: 'seriesRead';
	readonly ref: PatchsetRef;
	readonly series: Series;
}

/**
 * Results of reads. Data that arrived after the request is newer. `stamp`: change count at the request. Recalled:
 * another window's data, while the forge is away or busy. Failed: the forge answered without data.
 */
export type ListReading =
	| { readonly kind: 'ownListsRead'; readonly page: PageRead<MailingList> }
	| { readonly kind: 'subscriptionsRead'; readonly page: PageRead<Subscription> }
	| { readonly kind: 'patchsetsRead'; readonly list: ListRef; readonly page: PageRead<Patchset> }
	/** Mails of any threads, as a poll finds them. */
	| { readonly kind: 'mailsSeen'; readonly list: ListRef; readonly mails: readonly ShortEmail[] }
	| { readonly kind: 'postsRead'; readonly list: ListRef; readonly page: PageRead<ShortEmail> }
	| { readonly kind: 'listRead'; readonly list: MailingList; readonly stamp: number }
	| { readonly kind: 'patchsetRead'; readonly ref: PatchsetRef; readonly patchset: Patchset; readonly stamp: number }
	| {
			readonly kind: 'patchsetRecalled';
			readonly ref: PatchsetRef;
			readonly old: ReadBefore & ReadOnce<Patchset>;
			readonly stamp: number;
	  }
	/** `isNone`: a row was no patchset. */
	| { readonly kind: 'patchsetFailed'; readonly ref: PatchsetRef; readonly isNone: boolean }
	| SeriesReading
	| ({ readonly kind: 'threadRead' } & FreshThread)
	| ({ readonly kind: 'threadRecalled'; readonly before: ReadBefore } & FreshThread)
	| { readonly kind: 'threadFailed'; readonly list: ListRef; readonly id: number };

/** The disk may be the source of these, or a failure. */
const withoutAnswer: ReadonlySet<string> = new Set<ListReading['kind']>([
	'patchsetRecalled',
	'patchsetFailed',
	'seriesRead',
	'threadRecalled',
	'threadFailed',
]);

/** True for data that the forge sent. */
export function isListAnswer(each: ListNews | ListReading): boolean {
	return 'page' in each ? isAnswer(each.page) : !withoutAnswer.has(each.kind);
}

/** Changes, as narrow as possible. */
export type ListStoreChange =
	/** Changed set of lists, or changed relation to the account. */
	| { readonly kind: 'lists' }
	| { readonly kind: 'list'; readonly list: ListRef }
	| { readonly kind: 'patchsets'; readonly list: ListRef }
	| { readonly kind: 'patchset'; readonly patchset: PatchsetRef }
	| { readonly kind: 'posts'; readonly list: ListRef }
	| { readonly kind: 'thread'; readonly list: ListRef; readonly id: number };
