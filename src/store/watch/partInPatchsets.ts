import { isAbort } from '@forge-desk/base/abort.ts';
import { isUnreachable } from 'sourcehut/port/isAway.ts';
import { listKey, refOfList, type ListRef, type Patchset, type ShortEmail } from 'sourcehut/port/list.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import { sentBy } from '../people/sentBy.ts';
import { readRoot } from './mailNews.ts';
import type { ListsContext } from './watchContext.ts';

/** Limit of replies; drops the oldest. */
const mostReplies = 50;
const mostFailures = 3;

/** Patchsets that the account sent or replied to, by its mails and the rows of lists. */
export type PartInPatchsets = ReturnType<typeof partInPatchsets>;

export function partInPatchsets({ lists, own, me }: ListsContext) {
	/** Patchsets by thread, from first mails. */
	const roots = new Map<number, number | undefined>();
	const failures = new Map<number, number>();
	const mine = (): ReturnType<typeof sentBy> => sentBy({ account: me, address: own.address, mails: own.mails });

	/** For servers that report the patchset of a mail. */
	function ofMails(list: ListRef): ReadonlySet<number> {
		const posts = lists.knownPosts(list);
		const answered = posts.filter((post) => own.threads.has(post.threadId ?? post.id));
		const written = writtenIn(list);
		const learnt = written.flatMap(({ threadId }) => (threadId === undefined ? [] : (roots.get(threadId) ?? [])));
		return new Set([...[...answered, ...written].flatMap(({ patchsetId }) => patchsetId ?? []), ...learnt]);
	}

	function writtenIn(list: ListRef): readonly ShortEmail[] {
		return own.mails.filter((mail) => mail.list && listKey(refOfList(mail.list)) === listKey(list));
	}

	/** Threads of replies without a known patchset, newest first. */
	function unknownIn(list: ListRef): readonly number[] {
		// Posts of archives name no patchset.
		const posts = new Set(lists.uncached.hasWholeThreads ? [] : lists.knownPosts(list).map(({ id }) => id));
		const replies = writtenIn(list)
			.filter(({ subject, patchsetId }) => patchsetId === undefined && patchSubject(subject)?.isReply === true)
			.toSorted((a, b) => b.id - a.id)
			.slice(0, mostReplies);
		return [...new Set(replies.flatMap(({ threadId }) => threadId ?? []))].filter(
			(id) => !posts.has(id) && !roots.has(id),
		);
	}

	function isAnswered({ coverLetter }: Patchset): boolean {
		return coverLetter !== undefined && own.threads.has(coverLetter.threadId ?? coverLetter.id);
	}

	return {
		/** Test for patchsets of the account, with today's data. */
		mine,
		/** True if the account wrote in the patchset's thread. */
		takesPartIn: (list: ListRef, patchset: Patchset) => isAnswered(patchset) || ofMails(list).has(patchset.id),
		/** All patchsets of a list that the account sent or replied to. */
		allIn(list: ListRef): ReadonlySet<number> {
			const isMine = mine();
			const known = lists.knownPatchsets(list);
			const ids = known.filter((each) => isMine(each) || isAnswered(each)).map(({ id }) => id);
			return new Set([...ofMails(list), ...ids]);
		},
		/** Records the patchset of a thread. */
		noteRoot: (threadId: number, patchsetId: number): void => void roots.set(threadId, patchsetId),
		/**
		 * Finds the patchset of a thread with own replies outside the rows, with at most one request. Resolves to true if it
		 * took one. Call `spend` before it.
		 */
		async learn(all: readonly ListRef[], spend: () => void, signal: AbortSignal): Promise<boolean> {
			let isAsked = false;
			const asks = (): void => {
				isAsked = true;
				spend();
			};
			for (const id of all.flatMap(unknownIn)) {
				try {
					roots.set(id, (await readRoot(lists, asks, id, signal))?.patchsetId);
				} catch (error) {
					// A permanent failure must not block the others.
					const count = (failures.get(id) ?? 0) + (isUnreachable(error) || isAbort(error) ? 0 : 1);
					failures.set(id, count);
					if (count >= mostFailures) {
						roots.set(id, undefined);
					}
					throw error;
				}
				if (isAsked) {
					break;
				}
			}
			return isAsked;
		},
	};
}
