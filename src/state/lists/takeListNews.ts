import { refOfList, type ListRef } from '../../forge/list.ts';
import type { ListNews } from '../../forge/news.ts';
import type { ListReading, ListStoreChange } from './listChange.ts';
import type { ListContents } from './listContents.ts';
import type { ListShelf } from './listShelf.ts';

/** What is known of an account's lists and of what is in them. */
interface ListsKnown {
	readonly shelf: ListShelf;
	readonly contentsOf: (ref: ListRef) => ListContents;
	/** True when anything was known of it. */
	readonly forgetList: (ref: ListRef) => boolean;
}

/** Takes news in, and answers what is different by that; nothing where they only confirm what is known. */
export function takeListNews(known: ListsKnown, news: ListNews | ListReading): ListStoreChange | undefined {
	const { shelf, contentsOf } = known;
	switch (news.kind) {
		case 'listChanged':
		case 'listRead':
			return keepList(known, news);
		case 'listDeleted':
			return known.forgetList(news.list) ? { kind: 'lists' } : undefined;
		case 'subscribed':
			return shelf.keepSubscription(news.subscription) ? { kind: 'lists' } : undefined;
		case 'unsubscribed':
			return shelf.removeSubscription(news.subscriptionId) ? { kind: 'lists' } : undefined;
		case 'mailArrived':
			return addMail(known, news);
		case 'patchsetChanged':
			return keepPatchset(known, news.list, news);
		case 'ownListsRead':
		case 'subscriptionsRead':
			return shelf.take(news) ? { kind: 'lists' } : undefined;
		case 'patchsetsRead':
			return contentsOf(news.list).patchsets.take(news.page) ? { kind: 'patchsets', list: news.list } : undefined;
		case 'postsRead':
			return contentsOf(news.list).posts.take(news.page) ? { kind: 'posts', list: news.list } : undefined;
		case 'patchsetRead':
			return keepPatchset(known, news.ref.list, news);
		case 'patchsetRecalled':
			return contentsOf(news.ref.list).takeOldPatchset(news.old, news.stamp)
				? { kind: 'patchset', patchset: news.ref }
				: undefined;
		case 'seriesRead':
			return contentsOf(news.ref.list).series.take(news.ref.id, news.series)
				? { kind: 'patchset', patchset: news.ref }
				: undefined;
		case 'threadRead':
			return contentsOf(news.list).takeThread(news) ? { kind: 'thread', list: news.list, id: news.id } : undefined;
		case 'threadRecalled':
			return contentsOf(news.list).takeThread(news, news.before)
				? { kind: 'thread', list: news.list, id: news.id }
				: undefined;
	}
}

type One<K extends (ListNews | ListReading)['kind']> = Extract<ListNews | ListReading, { readonly kind: K }>;

function keepList({ shelf }: ListsKnown, news: One<'listChanged' | 'listRead'>): ListStoreChange | undefined {
	const isRead = news.kind === 'listRead';
	switch (shelf.keep(news.list, isRead ? news.stamp : undefined)) {
		case 'listed':
			return { kind: 'lists' };
		case 'changed':
			return { kind: 'list', list: refOfList(news.list) };
		case 'new':
			// A first read is told to who asked. What is made belongs to one's own, be it that they could not be read.
			return isRead ? undefined : { kind: 'lists' };
		case 'same':
			return undefined;
	}
}

function addMail({ contentsOf }: ListsKnown, { list, mail }: One<'mailArrived'>): ListStoreChange | undefined {
	switch (contentsOf(list).add(mail)) {
		case 'posts':
			return { kind: 'posts', list };
		case 'thread':
			return { kind: 'thread', list, id: mail.threadId ?? mail.id };
		case undefined:
			return undefined;
	}
}

function keepPatchset(
	{ contentsOf }: ListsKnown,
	list: ListRef,
	news: One<'patchsetChanged' | 'patchsetRead'>,
): ListStoreChange | undefined {
	const { patchset } = news;
	switch (contentsOf(list).takePatchset(patchset, news.kind === 'patchsetRead' ? news.stamp : undefined)) {
		case 'listed':
			return { kind: 'patchsets', list };
		case 'changed':
			return { kind: 'patchset', patchset: { list, id: patchset.id } };
		case 'same':
			return undefined;
	}
}
