import { listKey, type ListRef } from '../../forge/list.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { InboxPosition, Watching } from '../inbox/inboxBook.ts';
import { watchedKey } from '../inbox/watched.ts';
import { watchingOf } from './wanted.ts';

/** The name under which is kept what is wanted of a list, and how far its mails are known. */
export function placeOfList(list: ListRef): string {
	return watchedKey({ kind: 'list', ref: list });
}

/** The same for its patchsets: those with higher numbers came after the first look. */
export function patchsetsOfList(list: ListRef): string {
	return `patchsets ${listKey(list)}`;
}

/** The name under which a list's patches are kept that may still become a patchset. */
export function openPatchesOf(list: ListRef): string {
	return `patches ${listKey(list)}`;
}

/** What the position of a list says that was not asked for rows since, because nobody wanted to hear of it. */
const skipped = 'skipped';

/** Whether the list was not asked for rows since its position was kept. */
export function isSkipped(inbox: Pick<Inbox, 'position'>, list: ListRef): boolean {
	return inbox.position(placeOfList(list))?.detail === skipped;
}

/** From now on the list is not asked for rows. Nothing for one that was never seen. */
export function skip(inbox: Pick<Inbox, 'add' | 'position'>, list: ListRef): void {
	const line = inbox.position(placeOfList(list));
	if (line && line.detail !== skipped) {
		inbox.add({ entries: [], positions: new Map([[placeOfList(list), { ...line, detail: skipped }]]) });
	}
}

/** How far the mails of a list are known; `undefined` where what is there now is no news. */
export function lineOfList(inbox: Pick<Inbox, 'position'>, list: ListRef): InboxPosition | undefined {
	return isSkipped(inbox, list) ? undefined : inbox.position(placeOfList(list));
}

/** What of the things of a list comes to the inbox where nobody has said anything. */
export type UsualInList = (list: ListRef) => Watching;

/** What of a thing of a list comes to the inbox. */
export function watchingInList(
	{ inbox, usualIn }: { readonly inbox: Pick<Inbox, 'choice'>; readonly usualIn: UsualInList },
	list: ListRef,
	thing: string,
): Watching {
	return watchingOf(inbox, { thing, place: placeOfList(list), usual: usualIn(list) });
}
