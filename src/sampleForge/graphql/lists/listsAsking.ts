import type { Grant, User } from '../../shared/area.ts';
import type { Email, MailingList, Patchset } from '../../lists/mailModel.ts';
import type { MailRoom } from '../../lists/mailRoom.ts';
import type { Cursors, PageWish } from '../cursors.ts';
import { pageOf } from '../cursors.ts';
import type { ListHooks } from './listHookBooks.ts';

/** One request to the list service. */
export interface Asking {
	readonly room: MailRoom;
	/** Who asks, and by which token. */
	readonly user: User;
	readonly grant: Grant;
	readonly cursors: Cursors;
	readonly said: SaidOverGraphql;
	readonly shapes: Shapes;
	readonly hooks: ListHooks;
}

/** Things as they are shown, each of which leads to the others. Whoever may see them. */
export interface Shapes {
	readonly user: (user: User) => object;
	readonly list: (list: MailingList) => object;
	readonly email: (email: Email) => object;
	/** By its first mail. */
	readonly thread: (root: Email) => object;
	readonly patchset: (patchset: Patchset) => object;
}

/** What only GraphQL can be told and tells, so that no store has it. */
export interface SaidOverGraphql {
	readonly unlisted: Set<MailingList>;
	/** Patchsets whose status somebody made unknown, with the one that they had. */
	readonly unknownStatus: Map<Patchset, Patchset['status']>;
	readonly tools: Tool[];
	readonly permitMime: Map<MailingList, readonly string[]>;
	readonly rejectMime: Map<MailingList, readonly string[]>;
	readonly copiesSelf: Set<User>;
}

export interface Tool {
	readonly id: number;
	readonly patchset: Patchset;
	readonly createdMs: number;
	updatedMs: number;
	icon: string;
	details: string;
}

export function nothingSaid(): SaidOverGraphql {
	return {
		unlisted: new Set(),
		unknownStatus: new Map(),
		tools: [],
		permitMime: new Map(),
		rejectMime: new Map(),
		copiesSelf: new Set(),
	};
}

/** Whether a list is there at all for the one who asks. */
export function sees({ room, user }: Asking, list: MailingList): boolean {
	return room.access.held(list, user).has('browse');
}

interface TimedRows<T> {
	readonly rows: readonly T[];
	readonly timeMs: (row: T) => number;
	readonly show: (row: T) => object;
}

/**
 * A page of what falls by time. The cursor is the whole second of the row that follows, and the next page begins with rows
 * of that second or before: so a row that has a part of a second is on no page, and more than 25 of one whole second
 * come again and again (docs/protocol.md#graphql-pages-of-mails).
 */
export function pageByTime<T>({ cursors }: Asking, { rows, timeMs, show }: TimedRows<T>, wish: PageWish): object {
	return pageOf(cursors, { rows, key: (row) => timeMs(row) / 1000, mark: Math.floor, show }, wish);
}
