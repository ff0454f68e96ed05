import { type ListRef, type Patchset, type ShortEmail, listKey } from '../../forge/port/list.ts';
import type { Pages } from '../../forge/port/page.ts';
import type { InboxPosition } from '../inbox/inboxBook.ts';
import type { ListStore } from '../lists/listStore.ts';
import { askedPages } from '../shared/askedPages.ts';
import type { Listing } from '../shared/listing.ts';
import { lineOfList, patchsetsOfList, placeOfList } from './listPlaces.ts';
import type { PatchsetNews } from './patchsetNews.ts';
import type { WatchContext } from './watchContext.ts';

/** Pages per kind of rows and turn, after the first page. */
const mostPages = 3;
/** Limit of new mails per reading. Drops the oldest ones. */
const mostMails = 5000;
/** Servers without replies among the posts have this search, or list all mails. */
const terms = 'is:reply';

/** Result of one reading of a list. */
export interface FoundInList {
	readonly isNew: boolean;
	/** More rows follow: read again soon. */
	readonly isMore: boolean;
	/** New mails in no order, including the account's own; empty while some are missing. */
	readonly mails: readonly ShortEmail[];
}

interface NewMails extends Pick<FoundInList, 'mails' | 'isMore'> {
	readonly replies: readonly ShortEmail[];
}

/** Limits the first reading of a list to one page. */
const anyId = Number.POSITIVE_INFINITY;

export function listNews({ lists, inbox, background, clock }: WatchContext, patchsets: PatchsetNews) {
	const spend = (): void => background.budget.spend();
	const repliesOf = replyWalks(lists, spend);

	/** The first look creates no news. */
	function drawLine(list: ListRef, mails: readonly ShortEmail[], there: readonly Patchset[]): void {
		const nowMs = clock.nowMs();
		const line = (name: string, newestId: number): readonly [string, InboxPosition] => {
			// The last position wins, so the time has to rise even after the clock moved back.
			const sinceMs = Math.max(nowMs, (inbox.position(name)?.sinceMs ?? 0) + 1);
			return [name, { sinceMs, newestId, detail: '' }];
		};
		inbox.add({
			entries: [],
			positions: new Map([
				line(placeOfList(list), highestId(mails)),
				line(patchsetsOfList(list), highestId(there)),
				...patchsets.standing(list, there),
			]),
		});
	}

	/** Reads a few pages of rows. True if they reach a known row. */
	async function readRows(
		list: ListRef,
		kind: 'posts' | 'patchsets',
		isKnown: (id: number) => boolean,
		signal: AbortSignal,
	): Promise<boolean> {
		const isReached = (): boolean => {
			const known: Listing<{ readonly id: number }> | undefined =
				kind === 'posts' ? lists.posts(list).known() : lists.patchsets(list).ofServer();
			const oldest = known?.items.at(-1);
			const isEnd = known?.completeness.kind !== 'more' || known.items.length >= mostMails;
			return isEnd || (oldest !== undefined && isKnown(oldest.id));
		};
		await lists.newest.reread(list, kind, spend, signal);
		for (let count = 0; count < mostPages && !isReached(); count += 1) {
			await lists.newest.more(list, kind, spend, signal);
		}
		return isReached();
	}

	/**
	 * New mails, up to the newest one without a gap below. Replies first, since most new mails are replies: the posts
	 * then include every post below the newest reply. A newer post needs a second look at the replies.
	 */
	async function readMails(list: ListRef, fromId: number, signal: AbortSignal): Promise<NewMails> {
		const first = await repliesOf(list, fromId, signal);
		if (first.areAll && fromId !== anyId && lists.posts(list).known()) {
			const { replies: all, isWhole } = first;
			return { mails: all.filter(({ id }) => id > fromId), replies: all, isMore: !isWhole };
		}
		const arePostsWhole = await readRows(list, 'posts', (id) => id <= fromId, signal);
		if (!arePostsWhole || !first.isWhole) {
			return { mails: [], replies: [], isMore: true };
		}
		const [newestPost, newestReply] = [highestId(postsOf(list)), highestId(first.replies)];
		const isPostNewer = newestPost > Math.max(newestReply, fromId);
		const second = isPostNewer ? await repliesOf(list, fromId, signal) : first;
		// A second look of several turns waits for the next reading, which starts at the newest reply.
		const { replies } = second.isWhole ? second : first;
		const toId = isPostNewer && second.isWhole ? newestPost : newestReply;
		const all = new Map([...postsOf(list), ...replies].map((mail) => [mail.id, mail]));
		const mails = [...all.values()].filter(({ id }) => id > fromId);
		const isMore = fromId !== anyId && mails.some(({ id }) => id > toId);
		return { mails: mails.filter(({ id }) => id <= toId), replies, isMore };
	}

	function postsOf(list: ListRef): readonly ShortEmail[] {
		return lists.knownPosts(list);
	}

	/**
	 * Reads the new mails and patchsets of a list, and adds news of patchsets to the inbox. `waitingTo`: the newest found
	 * mail outside the inbox; 0 for none.
	 */
	return async (list: ListRef, waitingTo: number, signal: AbortSignal): Promise<FoundInList> => {
		const line = lineOfList(inbox, list);
		const fromId = line ? Math.max(line.newestId, waitingTo) : anyId;
		const { mails, replies, isMore } = await readMails(list, fromId, signal);
		// A single known row may have another source. All rows below the oldest one share its source.
		const areWhole = await readRows(list, 'patchsets', (id) => !line || patchsets.isKnown(list, id), signal);
		const there = lists.patchsets(list).ofServer()?.items ?? [];
		if (line === undefined) {
			drawLine(list, [...postsOf(list), ...replies], there);
			return { isNew: false, isMore: false, mails: [] };
		}
		// Updates open rows and threads. Known mails change nothing.
		const fresh = new Set(mails.map(({ id }) => id));
		lists.apply(
			...replies.filter(({ id }) => fresh.has(id)).map((mail) => ({ kind: 'mailArrived', list, mail }) as const),
		);
		const told = areWhole ? await patchsets.tell(list, there, signal) : { isNew: false, isMore: true };
		return { isNew: mails.length > 0 || told.isNew, isMore: isMore || told.isMore, mails };
	};
}

function highestId(all: readonly { readonly id: number }[]): number {
	return all.reduce((highest, { id }) => Math.max(highest, id), 0);
}

/** Replies of a list, from the newest down to a known mail, as far as they were read. */
interface FoundReplies {
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

/** Each call reads a few pages. `spend` counts a request before it is sent. */
function replyWalks(lists: ListStore, spend: () => void) {
	const walks = new Map<string, Walk>();

	function begun(list: ListRef, fromId: number, signal: AbortSignal): Walk | undefined {
		const { search, mails } = lists.uncached;
		const pages = search ? search(list, terms, signal) : mails?.(list, signal);
		return pages && { fromId, areAll: !search, pages: askedPages(pages, spend), found: [] };
	}

	/** `fromId`: the newest known mail. */
	return async (list: ListRef, fromId: number, signal: AbortSignal): Promise<FoundReplies> => {
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
