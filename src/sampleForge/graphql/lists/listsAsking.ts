import type { Grant, User } from '../../shared/area.ts';
import type { Email, MailingList, Patchset } from '../../lists/mailModel.ts';
import type { MailRoom } from '../../lists/mailRoom.ts';
import type { Cursors, PageWish } from '../cursors.ts';
import { pageOf } from '../cursors.ts';
import type { HookKind } from '../hooks.ts';

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

/** Webhooks of the list service, by kind. */
export interface ListHooks {
	readonly user: HookKind<Asking, User>;
	readonly list: HookKind<Asking, MailingList>;
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

/**
 * A page sorted by time. Servers round the cursor down to a whole second, and the next page begins at that second. So
 * rows with a fraction of a second disappear, and more than 25 rows of one second repeat forever
 * (docs/protocol.md#graphql-pages-of-mails).
 */
export function pageByTime<T extends { readonly createdMs: number }>(
	{ cursors }: Asking,
	rows: readonly T[],
	show: (row: T) => object,
	wish: PageWish,
): object {
	return pageOf(cursors, { rows, key: ({ createdMs }) => createdMs / 1000, mark: Math.floor, show }, wish);
}

export function newestFirst<T extends { readonly id: number; readonly createdMs: number }>(
	rows: readonly T[],
): readonly T[] {
	return rows.toSorted((one, other) => other.createdMs - one.createdMs || other.id - one.id);
}
