import type { Clock } from '../../base/clock.ts';
import type { ListRef, Patchset, ShortEmail } from '../../forge/list.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { InboxPosition } from '../inbox/inboxBook.ts';
import type { ListStore } from '../lists/listStore.ts';
import type { Listing } from '../shared/listing.ts';
import { mostMails, mostPages } from './listLimits.ts';
import { lineOfList, patchsetsOfList, placeOfList } from './listPlaces.ts';
import type { PatchsetNews } from './patchsetNews.ts';
import { replyWalks } from './replyWalks.ts';

export interface ListNewsParts {
	readonly lists: ListStore;
	readonly inbox: Inbox;
	readonly patchsets: PatchsetNews;
	readonly clock: Clock;
	/** A request is about to be sent. */
	readonly spend: () => void;
}

/** What the newest rows of a list told. */
export interface FoundInList {
	readonly isNew: boolean;
	/** There is more than one turn reads: it is to be read again soon. */
	readonly isMore: boolean;
	/** New mails, one's own among them, in no order; none before all that are new are known. */
	readonly mails: readonly ShortEmail[];
}

/**
 * Reads the mails and patchsets of a list that are newer than what is known, and brings news of patchsets to the inbox.
 * `waitingTo`: the newest mail that was found before and is not in the inbox yet; 0 for none.
 */
export type ListNews = (list: ListRef, waitingTo: number, signal: AbortSignal) => Promise<FoundInList>;

interface NewMails extends Pick<FoundInList, 'mails' | 'isMore'> {
	readonly replies: readonly ShortEmail[];
}

/** A list of which nothing is known is read no further than its first page. */
const anyId = Number.POSITIVE_INFINITY;

export function listNews({ lists, inbox, patchsets, clock, spend }: ListNewsParts): ListNews {
	const repliesOf = replyWalks(lists, spend);

	/** What is there when a list is seen for the first time is no news. */
	function drawLine(list: ListRef, mails: readonly ShortEmail[], there: readonly Patchset[]): void {
		const nowMs = clock.nowMs();
		const line = (name: string, newestId: number): readonly [string, InboxPosition] => {
			// Later than what it was, even where the clock was set back: the last word counts.
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

	/** Reads a few pages of rows, and answers whether that reaches down to what is known. */
	async function readRows(
		list: ListRef,
		kind: 'posts' | 'patchsets',
		isKnown: (id: number) => boolean,
		signal: AbortSignal,
	): Promise<boolean> {
		const isReached = (): boolean => {
			const known: Listing<{ readonly id: number }> | undefined =
				kind === 'posts' ? lists.knownPosts(list) : lists.serverPatchsets(list);
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
	 * New mails, up to the newest below which no mail is missing. Replies are read first, because most new mails are replies:
	 * every post below the newest reply is then among the posts. A newer post needs a second look at the replies.
	 */
	async function readMails(list: ListRef, fromId: number, signal: AbortSignal): Promise<NewMails> {
		const first = await repliesOf(list, fromId, signal);
		if (first.areAll && fromId !== anyId && lists.knownPosts(list)) {
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
		// A second look that takes several turns is left to the next reading, which begins at the newest reply.
		const { replies } = second.isWhole ? second : first;
		const toId = isPostNewer && second.isWhole ? newestPost : newestReply;
		const all = new Map([...postsOf(list), ...replies].map((mail) => [mail.id, mail]));
		const mails = [...all.values()].filter(({ id }) => id > fromId);
		const isMore = fromId !== anyId && mails.some(({ id }) => id > toId);
		return { mails: mails.filter(({ id }) => id <= toId), replies, isMore };
	}

	function postsOf(list: ListRef): readonly ShortEmail[] {
		return lists.knownPosts(list)?.items ?? [];
	}

	return async (list, waitingTo, signal) => {
		const line = lineOfList(inbox, list);
		const fromId = line ? Math.max(line.newestId, waitingTo) : anyId;
		const { mails, replies, isMore } = await readMails(list, fromId, signal);
		// Each by itself may be one that is known for another reason, and all below the oldest are known with it.
		const areWhole = await readRows(list, 'patchsets', (id) => !line || patchsets.isKnown(list, id), signal);
		const there = lists.serverPatchsets(list)?.items ?? [];
		if (line === undefined) {
			drawLine(list, [...postsOf(list), ...replies], there);
			return { isNew: false, isMore: false, mails: [] };
		}
		// Rows and conversations that are open follow; what is known already changes nothing.
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
