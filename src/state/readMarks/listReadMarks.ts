import { refText } from '../../forge/namedRef.ts';
import type { ListRef } from '../../forge/list.ts';
import { looksAt, type StoredReadMarks, type LookedKind, type LookParts, type ReadMarks } from './storedReadMarks.ts';
import type { Looked } from './placeReadMarks.ts';

/** Names a conversation by the number of its first mail. */
export interface ThreadRef {
	readonly list: ListRef;
	readonly id: number;
}

/** A conversation or a patchset of a list, as a look at it counts. */
export interface LookedInList extends Looked {
	readonly list: ListRef;
	/** Whether nobody but the account has written any of it, as far as its mails are known. */
	readonly isOwn: boolean;
}

/** What the account has looked at of conversations, or of patchsets. */
export type ListReadMarks = ReadMarks<LookedInList, ThreadRef, ListRef>;

const inLists: LookedKind<LookedInList, ThreadRef, ListRef> = {
	refOf: ({ list, id }) => ({ list, id }),
	placeOf: ({ list }) => list,
	idOf: ({ id }) => id,
	nameOf: (list) => refText(list).toLowerCase(),
	homeOf: ({ list }) => list,
	isOwnAndUntouched: ({ isOwn }) => isOwn,
};

/** The same over restarts. */
export type StoredListReadMarks = StoredReadMarks<LookedInList, ThreadRef, ListRef>;

/** The looks at conversations, or those at patchsets: numbers of one say nothing of the other. */
export function storedListReadMarks(parts: LookParts): StoredListReadMarks {
	return looksAt(inLists, parts);
}
