import type { Grant, User } from '../../shared/area.ts';
import type { Email, MailingList, Patchset } from '../../lists/mailModel.ts';
import type { MailRoom } from '../../lists/mailRoom.ts';
import type { Cursors, PageWish } from '../cursors.ts';
import { pageOf } from '../cursors.ts';
import type { ListHooks } from './listHookBooks.ts';

/** One request to the list service. */
export interface Asking {
	readonly room: MailRoom;
	/** Caller and token. */
	readonly user: User;
	readonly grant: Grant;
	readonly cursors: Cursors;
	readonly said: SaidOverGraphql;
	readonly shapes: Shapes;
	readonly hooks: ListHooks;
}

/** Objects with links to each other, without access checks. */
export interface Shapes {
	readonly user: (user: User) => object;
	readonly list: (list: MailingList) => object;
	readonly email: (email: Email) => object;
	/** Takes the first mail. */
	readonly thread: (root: Email) => object;
	readonly patchset: (patchset: Patchset) => object;
}

/** State without a counterpart in REST, so outside of the stores. */
export interface SaidOverGraphql {
	readonly unlisted: Set<MailingList>;
	/** Patchsets with the status "unknown", and their earlier status. */
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

/** True if the caller may see the list. */
export function sees({ room, user }: Asking, list: MailingList): boolean {
	return room.access.held(list, user).has('browse');
}

interface TimedRows<T> {
	readonly rows: readonly T[];
	readonly timeMs: (row: T) => number;
	readonly show: (row: T) => object;
}

/**
 * A page sorted by time. Servers round the cursor down to a whole second, and the next page begins at that second. So
 * rows with a fraction of a second disappear, and more than 25 rows of one second repeat forever
 * (docs/protocol.md#graphql-pages-of-mails).
 */
export function pageByTime<T>({ cursors }: Asking, { rows, timeMs, show }: TimedRows<T>, wish: PageWish): object {
	return pageOf(cursors, { rows, key: (row) => timeMs(row) / 1000, mark: Math.floor, show }, wish);
}
