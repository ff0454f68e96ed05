import { listKey, type ListRef, type ShortEmail } from '../../forge/list.ts';
import type { Pages } from '../../forge/page.ts';
import type { ListStore } from '../lists/listStore.ts';
import { askedPages } from '../shared/askedPages.ts';
import { mostMails, mostPages } from './listLimits.ts';

/** Replies of a list, from the newest down to a known mail, as far as they were read. */
export interface FoundReplies {
	/** With `areAll` also the first mails of threads. */
	readonly replies: readonly ShortEmail[];
	/** The walk is done; otherwise the next call continues it. */
	readonly isWhole: boolean;
	/** The server listed all mails instead of replies. */
	readonly areAll: boolean;
}

/** `fromId`: the newest known mail. */
export type ReplyWalks = (list: ListRef, fromId: number, signal: AbortSignal) => Promise<FoundReplies>;

interface Walk {
	readonly fromId: number;
	readonly areAll: boolean;
	readonly pages: Pages<ShortEmail>;
	readonly found: ShortEmail[];
}

/** Servers without replies among the posts have this search, or list all mails. */
const terms = 'is:reply';

/** Each call reads a few pages. `spend` counts a request before it is sent. */
export function replyWalks(lists: Pick<ListStore, 'uncached'>, spend: () => void): ReplyWalks {
	const walks = new Map<string, Walk>();

	function begun(list: ListRef, fromId: number, signal: AbortSignal): Walk | undefined {
		const { search, mails } = lists.uncached;
		const pages = search ? search(list, terms, signal) : mails?.(list, signal);
		return pages && { fromId, areAll: !search, pages: askedPages(pages, spend), found: [] };
	}

	return async (list, fromId, signal) => {
		const key = listKey(list);
		const open = walks.get(key);
		// A failed walk starts again.
		walks.delete(key);
		const walk = open?.fromId === fromId ? open : begun(list, fromId, signal);
		if (!walk) {
			return { replies: [], isWhole: true, areAll: false };
		}
		const { found, areAll } = walk;
		for (let count = 0; count < mostPages; count += 1) {
			const { value: page, done } = await walk.pages.next();
			if (done) {
				return { replies: found, isWhole: true, areAll };
			}
			found.push(...page.items);
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
