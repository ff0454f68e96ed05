import { refOfList, type ListRef, type MailingList, type Patchset } from 'sourcehut/port/list.ts';
import type { ListNews } from 'sourcehut/port/news.ts';
import type { ListReading, ListStoreChange } from './listChange.ts';
import type { ListContents } from './listContents.ts';
import { changesOfPage } from '../shared/pageChanges.ts';
import type { ListShelf } from './listShelf.ts';

interface ListsKnown {
	readonly shelf: ListShelf;
	readonly contentsOf: (ref: ListRef) => ListContents;
	/** True if known. */
	readonly forgetList: (ref: ListRef) => boolean;
}

/** Applies news and returns the changes. Repeated news cause none. */
export function takeListNews(known: ListsKnown, all: readonly (ListNews | ListReading)[]): readonly ListStoreChange[] {
	return all.flatMap((news) => takeEach(known, news));
}

function takeEach(known: ListsKnown, news: ListNews | ListReading): readonly ListStoreChange[] {
	if (
		news.kind === 'ownListsRead' ||
		news.kind === 'subscriptionsRead' ||
		news.kind === 'patchsetsRead' ||
		news.kind === 'postsRead'
	) {
		return takePage(known, news);
	}
	const change = takeOne(known, news);
	return change ? [change] : [];
}

/** A thousand mails of one thread are one change. */
export function distinctChanges(changes: readonly ListStoreChange[]): readonly ListStoreChange[] {
	return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}

type PageNews = One<'ownListsRead' | 'subscriptionsRead' | 'patchsetsRead' | 'postsRead'>;

function takePage({ shelf, contentsOf }: ListsKnown, news: PageNews): readonly ListStoreChange[] {
	switch (news.kind) {
		case 'ownListsRead':
			return changesOfPage<MailingList, ListStoreChange>(shelf.takeOwn(news.page), { kind: 'lists' }, (list) => ({
				kind: 'list',
				list: refOfList(list),
			}));
		case 'subscriptionsRead':
			return changesOfPage(shelf.takeSubscriptions(news.page), { kind: 'lists' });
		case 'patchsetsRead': {
			const { list } = news;
			const outcome = contentsOf(list).takePatchsets(news.page);
			return changesOfPage<Patchset, ListStoreChange>(outcome, { kind: 'patchsets', list }, ({ id }) => ({
				kind: 'patchset',
				patchset: { list, id },
			}));
		}
		case 'postsRead':
			return changesOfPage(contentsOf(news.list).posts.take(news.page), { kind: 'posts', list: news.list });
	}
}

function takeOne(known: ListsKnown, news: Exclude<ListNews | ListReading, PageNews>): ListStoreChange | undefined {
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
		case 'patchsetRead':
			return keepPatchset(known, news.ref.list, news);
		case 'patchsetRecalled':
			return contentsOf(news.ref.list).takeOldPatchset(news.old, news.stamp)
				? { kind: 'patchset', patchset: news.ref }
				: undefined;
		case 'patchsetFailed':
			return contentsOf(news.ref.list).forgetOldPatchset(news.ref.id)
				? { kind: 'patchset', patchset: news.ref }
				: undefined;
		case 'seriesRead':
			return contentsOf(news.ref.list).takeSeries(news.ref.id, news.series)
				? { kind: 'patchset', patchset: news.ref }
				: undefined;
		case 'threadRead':
			return contentsOf(news.list).takeThread(news) ? { kind: 'thread', list: news.list, id: news.id } : undefined;
		case 'threadRecalled':
			return contentsOf(news.list).takeThread(news, news.before)
				? { kind: 'thread', list: news.list, id: news.id }
				: undefined;
		case 'threadFailed':
			return contentsOf(news.list).forgetOldThread(news.id)
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
			// The caller of a first read has the result. A new list joins the own lists, even after a failed read.
			return isRead ? undefined : { kind: 'lists' };
		case 'same':
			return undefined;
	}
}

function addMail({ contentsOf }: ListsKnown, { list, mail }: One<'mailArrived'>): ListStoreChange | undefined {
	const contents = contentsOf(list);
	contents.replies.note(mail.threadId ?? mail.id, [mail]);
	switch (contents.add(mail)) {
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
