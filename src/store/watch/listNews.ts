import { maxOf, minOf } from '@forge-desk/base/longArrays.ts';
import type { ListRef, Patchset, ShortEmail } from 'sourcehut/port/list.ts';
import type { InboxPosition } from '../inbox/inboxBook.ts';
import type { Listing } from '../shared/listing.ts';
import { lineOfList, patchsetsOfList, placeOfList } from './listPlaces.ts';
import type { ListInRounds } from './listRounds.ts';
import type { PatchsetNews } from './patchsetNews.ts';
import { mostMails, replyWalks, type FoundReplies } from './replyWalks.ts';
import type { WatchContext } from './watchContext.ts';

/** Pages per kind of rows and turn, after the first page. */
const mostPages = 3;

/** Result of one reading of a list. */
interface FoundInList {
	readonly isNew: boolean;
	/** More rows follow: read again soon. */
	readonly isMore: boolean;
	/** New mails in no order, including the account's own; empty while some are missing. */
	readonly mails: readonly ShortEmail[];
	/** Arrival of the newest mail that was read. */
	readonly newestMs?: number | undefined;
}

type Dated = Pick<Patchset, 'id' | 'createdMs'>;

const nothingNew: FoundInList = { isNew: false, isMore: false, mails: [] };

interface NewMails extends Pick<FoundInList, 'mails' | 'isMore'> {
	readonly replies: readonly ShortEmail[];
}

/** Of a list without new mails. */
const noReplies: FoundReplies = { replies: [], isWhole: true, areAll: true };

/** Limits the first reading of a list to one page. */
const anyId = Number.POSITIVE_INFINITY;

export function listNews({ lists, inbox, background, clock }: WatchContext, patchsets: PatchsetNews) {
	const spend = (): void => background.budget.spend();
	const repliesOf = replyWalks(lists);

	/** The first look creates no news, except for things that came after `toMs`. */
	function drawLine(list: ListRef, mails: readonly ShortEmail[], there: readonly Patchset[], toMs: number): void {
		const nowMs = clock.nowMs();
		const oldOf = <T extends Dated>(all: readonly T[]): readonly T[] => all.filter((each) => each.createdMs <= toMs);
		// Without an old row on this page, those of other pages are old.
		const lastOf = (all: readonly Dated[]): number =>
			highestId(oldOf(all)) || (toMs > 0 && all.length > 0 ? minOf(all.map(({ id }) => id)) - 1 : 0);
		const line = (name: string, newestId: number): readonly [string, InboxPosition] => {
			// The last position wins, so the time has to rise even after the clock moved back.
			const sinceMs = Math.max(nowMs, (inbox.position(name)?.sinceMs ?? 0) + 1);
			return [name, { sinceMs, newestId, detail: '' }];
		};
		inbox.add({
			entries: [],
			positions: new Map([
				line(placeOfList(list), lastOf(mails)),
				line(patchsetsOfList(list), lastOf(there)),
				...patchsets.standing(list, oldOf(there)),
			]),
		});
	}

	/** True if the known rows reach a known one. */
	function isReached(list: ListRef, kind: 'posts' | 'patchsets', isKnown: (id: number) => boolean): boolean {
		const known: Listing<{ readonly id: number }> | undefined =
			kind === 'posts' ? lists.posts(list).known() : lists.patchsets(list).ofServer();
		const oldest = known?.items.at(-1);
		const isEnd = known?.completeness.kind !== 'more' || known.items.length >= mostMails;
		return isEnd || (oldest !== undefined && isKnown(oldest.id));
	}

	/** Reads a few pages of rows. True if they reach a known row. `asks` precedes the first request. */
	async function readRows(
		list: ListRef,
		kind: 'posts' | 'patchsets',
		isKnown: (id: number) => boolean,
		asks: () => void,
		signal: AbortSignal,
	): Promise<boolean> {
		await lists.newest.reread(list, kind, asks, signal);
		for (let count = 0; count < mostPages && !isReached(list, kind, isKnown); count += 1) {
			await lists.newest.more(list, kind, spend, signal);
		}
		return isReached(list, kind, isKnown);
	}

	/**
	 * New mails, up to the newest one without a gap below. Replies first, since most new mails are replies: the posts
	 * then include every post below the newest reply. A newer post needs a second look at the replies.
	 */
	async function readMails(
		list: ListRef,
		fromId: number,
		first: FoundReplies,
		arePostsRead: boolean,
		signal: AbortSignal,
	): Promise<NewMails> {
		if (first === noReplies) {
			return { mails: [], replies: [], isMore: false };
		}
		if (first.areAll && lists.posts(list).known()) {
			const { replies: all, isWhole } = first;
			return { mails: all.filter(({ id }) => id > fromId), replies: all, isMore: !isWhole };
		}
		const isKnown = (id: number): boolean => id <= fromId;
		const arePostsWhole = arePostsRead
			? isReached(list, 'posts', isKnown)
			: await readRows(list, 'posts', isKnown, spend, signal);
		if (!arePostsWhole || !first.isWhole) {
			return { mails: [], replies: first.replies, isMore: true };
		}
		const [newestPost, newestReply] = [highestId(postsOf(list)), highestId(first.replies)];
		const isPostNewer = newestPost > Math.max(newestReply, fromId);
		const second = isPostNewer ? await repliesOf(list, fromId, spend, signal) : first;
		// A second look of several turns waits for the next reading, which starts at the newest reply.
		const { replies } = second.isWhole ? second : first;
		const toId = isPostNewer && second.isWhole ? newestPost : newestReply;
		const all = new Map([...postsOf(list), ...replies].map((mail) => [mail.id, mail]));
		const mails = [...all.values()].filter(({ id }) => id > fromId);
		const isMore = fromId !== anyId && mails.some(({ id }) => id > toId);
		return { mails: mails.filter(({ id }) => id <= toId), replies, isMore };
	}

	function lineIdOf(list: ListRef): number {
		return lineOfList(inbox, list)?.newestId ?? 0;
	}

	function postsOf(list: ListRef): readonly ShortEmail[] {
		return lists.knownPosts(list);
	}

	function patchsetsOf(list: ListRef): readonly Patchset[] {
		return lists.patchsets(list).ofServer()?.items ?? [];
	}

	/**
	 * Reads the new mails and patchsets of a list, and adds news of patchsets to the inbox. `waitingTo`: the newest found
	 * mail outside the inbox; 0 for none. `isQuiet`: no mail came since the last reading.
	 */
	return async (
		{ ref: list, followedMs, firstMs: toMs = followedMs }: ListInRounds,
		waitingTo: number,
		isQuiet: boolean,
		signal: AbortSignal,
	): Promise<FoundInList> => {
		const line = lineOfList(inbox, list);
		const fromId = line ? Math.max(line.newestId, waitingTo) : anyId;
		// A single known row may have another source. All rows below the oldest one share its source.
		const readPatchsets = (asks: () => void): Promise<boolean> =>
			readRows(list, 'patchsets', (id) => !line || patchsets.isKnown(list, id), asks, signal);
		let areWhole: boolean | undefined;
		let arePostsRead = false;
		let first = noReplies;
		if (isQuiet && !line) {
			drawLine(list, [], [], toMs);
			return nothingNew;
		} else if (lists.uncached.activity) {
			// Its server joins them in one request.
			spend();
			arePostsRead = lists.posts(list).known() === undefined;
			const readPosts =
				arePostsRead &&
				readRows(
					list,
					'posts',
					(id) => id <= fromId,
					() => undefined,
					signal,
				);
			const readReplies = isQuiet ? first : repliesOf(list, fromId, afterFirst(spend), signal);
			[first, areWhole] = await Promise.all([readReplies, readPatchsets(() => undefined), readPosts]);
		} else if (!isQuiet) {
			first = await repliesOf(list, fromId, spend, signal);
		}
		let found = await readMails(list, fromId, first, arePostsRead, signal);
		areWhole ??= await readPatchsets(spend);
		const there = patchsetsOf(list);
		if (line === undefined) {
			drawLine(list, [...postsOf(list), ...found.replies], there, toMs);
			const lineId = lineIdOf(list);
			found = await readMails(list, lineId, { ...first, isWhole: reaches(found.replies, lineId) }, true, signal);
		}
		const { mails, replies, isMore } = found;
		lists.apply({ kind: 'mailsSeen', list, mails: replies });
		const newestMs = isQuiet ? undefined : maxOf([...postsOf(list), ...replies].map(({ createdMs }) => createdMs));
		// Updates open rows and threads. Known mails change nothing.
		const fresh = new Set(mails.map(({ id }) => id));
		lists.apply(
			...replies.filter(({ id }) => fresh.has(id)).map((mail) => ({ kind: 'mailArrived', list, mail }) as const),
		);
		const told = areWhole ? await patchsets.tell(list, there, signal) : { isNew: false, isMore: true };
		return { isNew: mails.length > 0 || told.isNew, isMore: isMore || told.isMore, mails, newestMs };
	};
}

function reaches(replies: readonly ShortEmail[], lineId: number): boolean {
	return replies.length === 0 || replies.some(({ id }) => id <= lineId);
}

/** `spend` from the second call. */
function afterFirst(spend: () => void): () => void {
	let isFirst = true;
	return () => (isFirst ? (isFirst = false) : spend());
}

function highestId(all: readonly { readonly id: number }[]): number {
	return all.reduce((highest, { id }) => Math.max(highest, id), 0);
}
