import { refOfList, type ListRef, type Patchset, type PatchsetRef } from 'sourcehut/port/list.ts';
import type { ListNews } from 'sourcehut/port/news.ts';
import type { ListReading, ListStoreChange } from './listChange.ts';
import type { ListContents } from './listContents.ts';
import type { CollectionChange } from '../shared/collection.ts';
import { changesOfPage } from '../shared/pageChanges.ts';
import type { PutOutcome } from '../shared/pagedList.ts';
import type { Lists } from './lists.ts';

/** Applies news and returns the changes; none for repeated news. `forgetList`: true if the list was known. */
export function takeListNews(
	news: ListNews | ListReading,
	lists: Lists,
	contentsOf: (ref: ListRef) => ListContents,
	forgetList: (ref: ListRef) => boolean,
): readonly ListStoreChange[] {
	switch (news.kind) {
		case 'ownListsRead':
			return lists.takeOwn(news.page).map(changeOf);
		case 'subscriptionsRead':
			return changesOfPage(lists.takeSubscriptions(news.page), { kind: 'lists' });
		case 'patchsetsRead': {
			const { list } = news;
			const outcome = contentsOf(list).takePatchsets(news.page);
			return changesOfPage<Patchset, ListStoreChange>(outcome, { kind: 'patchsets', list }, ({ id }) => ({
				kind: 'patchset',
				patchset: { list, id },
			}));
		}
		case 'postsRead': {
			const contents = contentsOf(news.list);
			const outcome = contents.posts.take(news.page);
			contents.see(contents.posts.known()?.items ?? []);
			return changesOfPage(outcome, { kind: 'posts', list: news.list });
		}
		case 'mailsSeen':
			contentsOf(news.list).see(news.mails);
			return [];
		case 'listRead': {
			const change = lists.takeItem(refOfList(news.list), news.list, news.stamp);
			return change ? [changeOf(change)] : [];
		}
		case 'listChanged': {
			const list = refOfList(news.list);
			const outcome = lists.keep(list, news.list);
			// A new list joins the own lists, even after a failed read.
			return outcome === 'same' ? [] : [changeOf(outcome === 'changed' ? list : 'set')];
		}
		case 'listDeleted':
			return forgetList(news.list) ? [{ kind: 'lists' }] : [];
		case 'subscribed':
			return lists.keepSubscription(news.subscription) ? [{ kind: 'lists' }] : [];
		case 'unsubscribed':
			return lists.subscriptions.remove(news.subscriptionId) ? [{ kind: 'lists' }] : [];
		case 'mailArrived': {
			const { list, mail } = news;
			const threadId = mail.threadId ?? mail.id;
			const contents = contentsOf(list);
			contents.replies.note(threadId, [mail]);
			const kind = contents.add(mail);
			return kind === 'posts' ? [{ kind, list }] : kind ? [{ kind, list, id: threadId }] : [];
		}
		case 'patchsetChanged': {
			const { list, patchset } = news;
			return changesOfPatchset({ list, id: patchset.id }, contentsOf(list).takePatchset(patchset));
		}
		case 'patchsetRead': {
			const { list } = news.ref;
			const ref = { list, id: news.patchset.id };
			return changesOfPatchset(ref, contentsOf(list).takePatchset(news.patchset, news.stamp));
		}
		case 'patchsetRecalled':
			return changesOfPatchset(news.ref, contentsOf(news.ref.list).takeOldPatchset(news.old, news.stamp));
		case 'patchsetFailed':
			return changesOfPatchset(news.ref, contentsOf(news.ref.list).forgetOldPatchset(news.ref.id, news.isNone));
		case 'seriesRead':
			return changesOfPatchset(news.ref, contentsOf(news.ref.list).takeSeries(news.ref.id, news.series));
		case 'threadRead':
			return contentsOf(news.list).takeThread(news) ? [{ kind: 'thread', list: news.list, id: news.id }] : [];
		case 'threadRecalled':
			return contentsOf(news.list).takeThread(news, news.before)
				? [{ kind: 'thread', list: news.list, id: news.id }]
				: [];
		case 'threadFailed':
			return contentsOf(news.list).forgetOldThread(news.id) ? [{ kind: 'thread', list: news.list, id: news.id }] : [];
	}
}

function changeOf(change: CollectionChange): ListStoreChange {
	return change === 'set' ? { kind: 'lists' } : { kind: 'list', list: change };
}

function changesOfPatchset(patchset: PatchsetRef, outcome: PutOutcome | boolean): readonly ListStoreChange[] {
	if (outcome === 'listed') {
		return [{ kind: 'patchsets', list: patchset.list }];
	}
	return outcome === 'same' || outcome === false ? [] : [{ kind: 'patchset', patchset }];
}
