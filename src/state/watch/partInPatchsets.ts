import { listKey, refOfList, type ListRef, type Patchset } from '../../forge/list.ts';
import type { OwnerName } from '../../forge/user.ts';
import type { ListStore } from '../lists/listStore.ts';
import { sentBy } from '../people/sentBy.ts';
import type { OwnInLists } from './mailNews.ts';

export interface PartInPatchsetsParts {
	readonly lists: Pick<ListStore, 'knownPatchsets' | 'knownPosts'>;
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
}

export function partInPatchsets({ lists, own, me }: PartInPatchsetsParts): PartInPatchsets {
	const mine = (): ReturnType<typeof sentBy> => sentBy({ account: me, address: own.address, mails: own.mails });

	/** Where servers tell the patchset of a mail. */
	function ofMails(list: ListRef): ReadonlySet<number> {
		const posts = lists.knownPosts(list)?.items ?? [];
		const answered = posts.filter((post) => own.threads.has(post.threadId ?? post.id));
		const written = own.mails.filter((mail) => mail.list && listKey(refOfList(mail.list)) === listKey(list));
		return new Set([...answered, ...written].flatMap(({ patchsetId }) => patchsetId ?? []));
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
	};
}
