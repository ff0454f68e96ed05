import type { Clock } from '../../base/clock.ts';
import type { ListRef, Patchset, ShortEmail } from '../../forge/list.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { ListStore } from '../lists/listStore.ts';
import { askedPages } from '../shared/askedPages.ts';
import { lineOfList, patchsetsOfList, placeOfList } from './listPlaces.ts';
import type { PatchsetNews } from './patchsetNews.ts';

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
	/** New mails, one's own among them, in no order. */
	readonly mails: readonly ShortEmail[];
}

/** Reads the newest mails and patchsets of a list. What its patchsets tell is in the inbox after that. */
export type ListNews = (list: ListRef, signal: AbortSignal) => Promise<FoundInList>;

/** Answers are found by the server's own search, where its lists of posts leave them out. */
const answers = 'is:reply';
const mostAnswerPages = 3;

export function listNews({ lists, inbox, patchsets, clock, spend }: ListNewsParts): ListNews {
	/** What is there when a list is seen for the first time is no news. */
	function drawLine(list: ListRef, mails: readonly ShortEmail[], there: readonly Patchset[]): void {
		const sinceMs = clock.nowMs();
		inbox.add({
			entries: [],
			positions: new Map([
				[placeOfList(list), { sinceMs, newestId: highestId(mails), detail: '' }],
				[patchsetsOfList(list), { sinceMs, newestId: highestId(there), detail: '' }],
				...patchsets.standing(list, there),
			]),
		});
	}

	/** Those that are newer than what is known, and some that are not. */
	async function readReplies(
		list: ListRef,
		newestId: number | undefined,
		signal: AbortSignal,
	): Promise<readonly ShortEmail[]> {
		const found: ShortEmail[] = [];
		let pages = 0;
		const answered = lists.uncached.search?.(list, answers, signal);
		for await (const { items, completeness } of answered ? askedPages(answered, spend) : []) {
			found.push(...items);
			pages += 1;
			const isEnough = newestId === undefined || items.some(({ id }) => id <= newestId);
			if (isEnough || pages === mostAnswerPages || completeness.kind !== 'more') {
				break;
			}
		}
		return found;
	}

	return async (list, signal) => {
		const line = lineOfList(inbox, list);
		spend();
		await lists.rereadRows(list, 'posts', signal);
		const replies = await readReplies(list, line?.newestId, signal);
		spend();
		await lists.rereadRows(list, 'patchsets', signal);
		const posts = lists.knownPosts(list)?.items ?? [];
		const there = lists.knownPatchsets(list)?.items ?? [];
		if (line === undefined) {
			drawLine(list, [...posts, ...replies], there);
			return { isNew: false, mails: [] };
		}
		const all = new Map([...posts, ...replies].map((mail) => [mail.id, mail]));
		const mails = [...all.values()].filter(({ id }) => id > line.newestId);
		// Rows and conversations that are open follow; what is known already changes nothing.
		replies.filter(({ id }) => id > line.newestId).forEach((mail) => lists.apply({ kind: 'mailArrived', list, mail }));
		const isNewPatchset = await patchsets.tell(list, there, signal);
		return { isNew: mails.length > 0 || isNewPatchset, mails };
	};
}

function highestId(all: readonly { readonly id: number }[]): number {
	return all.reduce((highest, { id }) => Math.max(highest, id), 0);
}
