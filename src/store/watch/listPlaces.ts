import { listKey, type ListRef } from 'sourcehut/port/list.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { InboxPosition } from '../inbox/inboxBook.ts';
import { watchedKey } from '../inbox/watched.ts';

/** Inbox name for the choice and the mail position of a list. */
export function placeOfList(list: ListRef): string {
	return watchedKey({ kind: 'list', ref: list });
}

/** Position of a list's patchsets. Higher numbers came after the first look. */
export function patchsetsOfList(list: ListRef): string {
	return `patchsets ${listKey(list)}`;
}

/** Position of the patches that may still become patchsets. */
export function openPatchesOf(list: ListRef): string {
	return `patches ${listKey(list)}`;
}

/** Position of a list's last mail whose predecessors are in the inbox, by its time. */
export function activityOfList(list: ListRef): string {
	return `activity ${listKey(list)}`;
}

/** Marks a list that the watch skips. */
const skipped = 'skipped';

export function isSkipped(inbox: Inbox, list: ListRef): boolean {
	return inbox.position(placeOfList(list))?.detail === skipped;
}

/** Skips a list from now on. No-op for a list without a position. */
export function skip(inbox: Inbox, list: ListRef): void {
	const line = inbox.position(placeOfList(list));
	if (line && line.detail !== skipped) {
		inbox.add({ entries: [], positions: new Map([[placeOfList(list), { ...line, detail: skipped }]]) });
	}
}

/** Mail position of a list; `undefined` if the present mails are old news. */
export function lineOfList(inbox: Inbox, list: ListRef): InboxPosition | undefined {
	return isSkipped(inbox, list) ? undefined : inbox.position(placeOfList(list));
}
