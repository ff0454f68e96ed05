import { pushAll } from '@forge-desk/base/longArrays.ts';
import { listKey, type ListRef, type ShortEmail } from 'sourcehut/port/list.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import type { ListStore } from '../lists/listStore.ts';
import { askedPages } from '../shared/pageRead.ts';

/** Pages per turn. */
const mostPages = 3;
/** Limit of new mails per reading. Drops the oldest ones. */
export const mostMails = 5000;
/** Servers without replies among the posts have this search, or list all mails. */
const terms = 'is:reply';

/** Replies of a list, from the newest down to a known mail, as far as they were read. */
export interface FoundReplies {
	/** With `areAll` also the first mails of threads. */
	readonly replies: readonly ShortEmail[];
	/** The walk is done; otherwise the next call continues it. */
	readonly isWhole: boolean;
	/** The server listed all mails instead of replies. */
	readonly areAll: boolean;
}

interface Walk {
	readonly fromId: number;
	readonly areAll: boolean;
	readonly pages: Pages<ShortEmail>;
	readonly found: ShortEmail[];
}

/** Each call reads a few pages. */
export function replyWalks(lists: ListStore) {
	const walks = new Map<string, Walk>();

	/** `fromId`: the newest known mail. `spend` counts a request before it is sent. */
	return async (list: ListRef, fromId: number, spend: () => void, signal: AbortSignal): Promise<FoundReplies> => {
		const key = listKey(list);
		const open = walks.get(key);
		// A failed walk starts again.
		walks.delete(key);
		let walk = open?.fromId === fromId ? open : undefined;
		if (!walk) {
			const { search, mails } = lists.uncached;
			const pages = search ? search(list, terms, signal) : mails?.(list, signal);
			if (!pages) {
				return { replies: [], isWhole: true, areAll: false };
			}
			walk = { fromId, areAll: !search, pages: askedPages(pages, spend), found: [] };
		}
		const { found, areAll } = walk;
		for (let count = 0; count < mostPages; count += 1) {
			const { value: page, done } = await walk.pages.next();
			if (done) {
				return { replies: found, isWhole: true, areAll };
			}
			pushAll(found, page.items);
			const isMet = page.items.some(({ id }) => id <= fromId) || found.length >= mostMails;
			if (isMet || page.completeness.kind !== 'more') {
				await walk.pages.return();
				return { replies: found, isWhole: true, areAll };
			}
		}
		walks.set(key, walk);
		return { replies: [], isWhole: false, areAll };
	};
}
