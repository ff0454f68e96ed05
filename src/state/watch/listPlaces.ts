import { listKey, type ListRef } from '../../forge/list.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Watching } from '../inbox/inboxBook.ts';
import type { ListStore } from '../lists/listStore.ts';
import { watchingOf } from './wanted.ts';

/** The name under which is kept what is wanted of a list, and how far its mails are known. */
export function placeOfList(list: ListRef): string {
	return `list ${listKey(list)}`;
}

/** The same for its patchsets: those with higher numbers came after the first look. */
export function patchsetsOfList(list: ListRef): string {
	return `patchsets ${listKey(list)}`;
}

/** What of a thing of a list comes to the inbox: all of one's own lists, of others what concerns the account. */
export function watchingInList(
	{ inbox, lists }: { readonly inbox: Pick<Inbox, 'choice'>; readonly lists: Pick<ListStore, 'isMine'> },
	list: ListRef,
	thing: string,
): Watching {
	return watchingOf(inbox, { thing, place: placeOfList(list), usual: lists.isMine(list) ? 'everything' : 'concerns' });
}
