import { refText } from '../../forge/port/namedRef.ts';
import type { ListRef } from '../../forge/port/list.ts';
import { looksAt, type StoredReadMarks, type LookedKind, type LookParts, type ReadMarks } from './storedReadMarks.ts';
import type { Looked } from './placeReadMarks.ts';

/** A thread; `id` is the number of its first mail. */
export interface ThreadRef {
	readonly list: ListRef;
	readonly id: number;
}

/** A thread or patchset of a list. */
export interface LookedInList extends Looked {
	readonly list: ListRef;
	/** True when all its known mails are from the account. */
	readonly isOwn: boolean;
}

/** Read state of threads, or of patchsets. */
export type ListReadMarks = ReadMarks<LookedInList, ThreadRef, ListRef>;

const inLists: LookedKind<LookedInList, ThreadRef, ListRef> = {
	refOf: ({ list, id }) => ({ list, id }),
	placeOf: ({ list }) => list,
	idOf: ({ id }) => id,
	nameOf: (list) => refText(list).toLowerCase(),
	homeOf: ({ list }) => list,
	isOwnAndUntouched: ({ isOwn }) => isOwn,
};

export type StoredListReadMarks = StoredReadMarks<LookedInList, ThreadRef, ListRef>;

/** Threads and patchsets need separate instances, because their numbers overlap. */
export function storedListReadMarks(parts: LookParts): StoredListReadMarks {
	return looksAt(inLists, parts);
}
