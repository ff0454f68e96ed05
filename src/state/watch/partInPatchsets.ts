import { isAbort } from '../../base/abort.ts';
import { isUnreachable } from '../../forge/isAway.ts';
import { listKey, refOfList, type ListRef, type Patchset, type ShortEmail } from '../../forge/list.ts';
import { patchSubject } from '../../forge/patchSubject.ts';
import type { OwnerName } from '../../forge/user.ts';
import type { ListStore } from '../lists/listStore.ts';
import { sentBy } from '../people/sentBy.ts';
import type { OwnInLists } from './mailNews.ts';
import { readRoot, type RootMails } from './threadRoots.ts';

export interface PartInPatchsetsParts {
	readonly lists: Pick<ListStore, 'knownPatchsets' | 'knownPosts'> & RootMails;
	readonly own: OwnInLists;
	/** `~name` of the account. */
	readonly me: OwnerName;
}

/** Which patchsets the account sent or answered, as far as its own mails and the rows of lists tell. */
export interface PartInPatchsets {
	/** Tells of patchsets which of them the account sent, as it is known now. */
	mine(): (patchset: Patchset) => boolean;
	/** It has written in the conversation of the patchset. */
	takesPartIn(list: ListRef, patchset: Pick<Patchset, 'id' | 'coverLetter'>): boolean;
	/** Numbers of all patchsets of a list that it sent or answered. */
	allIn(list: ListRef): ReadonlySet<number>;
	/** The thread of that number, which was read, is about this patchset. */
	noteRoot(threadId: number, patchsetId: number): void;
	/**
	 * Finds out about which patchsets the account wrote its replies, whose threads are not among the rows any more: at most one
	 * request. Answers whether it took one. `spend`: it is about to be sent.
	 */
	learn(lists: readonly ListRef[], spend: () => void, signal: AbortSignal): Promise<boolean>;
}

/** Of somebody who replied to more patches, it is not known which the oldest were. */
const mostReplies = 50;
const mostFailures = 3;

export function partInPatchsets({ lists, own, me }: PartInPatchsetsParts): PartInPatchsets {
	/** What first mails that were read say of their patchsets, by the numbers of their threads. */
	const roots = new Map<number, number | undefined>();
	const failures = new Map<number, number>();
	const mine = (): ReturnType<typeof sentBy> => sentBy({ account: me, address: own.address, mails: own.mails });

	/** Where servers tell the patchset of a mail. */
	function ofMails(list: ListRef): ReadonlySet<number> {
		const posts = lists.knownPosts(list)?.items ?? [];
		const answered = posts.filter((post) => own.threads.has(post.threadId ?? post.id));
		const written = writtenIn(list);
		const learnt = written.flatMap(({ threadId }) => (threadId === undefined ? [] : (roots.get(threadId) ?? [])));
		return new Set([...[...answered, ...written].flatMap(({ patchsetId }) => patchsetId ?? []), ...learnt]);
	}

	function writtenIn(list: ListRef): readonly ShortEmail[] {
		return own.mails.filter((mail) => mail.list && listKey(refOfList(mail.list)) === listKey(list));
	}

	/** One that fails by itself must not keep the others from being read. */
	function noteFailure(id: number, error: unknown): void {
		const count = (failures.get(id) ?? 0) + (isUnreachable(error) || isAbort(error) ? 0 : 1);
		failures.set(id, count);
		if (count >= mostFailures) {
			roots.set(id, undefined);
		}
	}

	/** Replies to patches of which nothing says to which patchset they belong, the newest first. */
	function unknownIn(list: ListRef): readonly number[] {
		const posts = new Set((lists.knownPosts(list)?.items ?? []).map(({ id }) => id));
		const replies = writtenIn(list)
			.filter(({ subject, patchsetId }) => patchsetId === undefined && patchSubject(subject)?.isReply === true)
			.toSorted((a, b) => b.id - a.id)
			.slice(0, mostReplies);
		return [...new Set(replies.flatMap(({ threadId }) => threadId ?? []))].filter(
			(id) => !posts.has(id) && !roots.has(id),
		);
	}

	function isAnswered({ coverLetter }: Pick<Patchset, 'coverLetter'>): boolean {
		return coverLetter !== undefined && own.threads.has(coverLetter.threadId ?? coverLetter.id);
	}

	return {
		mine,
		takesPartIn: (list, patchset) => isAnswered(patchset) || ofMails(list).has(patchset.id),
		allIn(list) {
			const isMine = mine();
			const known = lists.knownPatchsets(list)?.items ?? [];
			const ids = known.filter((each) => isMine(each) || isAnswered(each)).map(({ id }) => id);
			return new Set([...ofMails(list), ...ids]);
		},
		noteRoot: (threadId, patchsetId) => void roots.set(threadId, patchsetId),
		async learn(all, spend, signal) {
			let isAsked = false;
			const asks = (): void => {
				isAsked = true;
				spend();
			};
			for (const id of all.flatMap(unknownIn)) {
				try {
					roots.set(id, (await readRoot({ lists, spend: asks }, id, signal))?.patchsetId);
				} catch (error) {
					noteFailure(id, error);
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
