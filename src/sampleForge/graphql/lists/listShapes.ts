import { type User, findOwned } from '../../shared/area.ts';
import type { Email, ListPermission, MailingList, Subscription } from '../../lists/mailModel.ts';
import { listPermissions } from '../../lists/mailModel.ts';
import type { PageWish } from '../cursors.ts';
import { pageOf } from '../cursors.ts';
import { FieldError } from '../engine.ts';
import { showUser as showAccount } from '../people.ts';
import { orNull, ridOf, time } from '../scalars.ts';
import { type Asking, newestFirst, sees } from './listsAsking.ts';
import { pageOfMails, pageOfThreads, showEmail } from './mailShapes.ts';
import { pageOfPatchsets } from './patchsetShapes.ts';

export function showUser(asking: Asking, user: User): object {
	const { store } = asking.room;
	const seen = store.lists.filter((list) => sees(asking, list));
	const mails = seen.flatMap(({ emails }) => emails.filter(({ sender }) => sender === user));
	const patchsets = seen.flatMap((list) => list.patchsets.filter((set) => set.patches.at(-1)?.sender === user));
	return {
		...showAccount(user),
		list: ({ name }: { readonly name: string }) => showList(asking, findOwned(store.lists, user, name)),
		lists: (wish: PageWish) => pageOfLists(asking, user, wish),
		// Servers don't sort these, so the cursor is useless.
		emails: (wish: PageWish) => pageOfMails(asking, mails.toSorted(byScatteredId), wish),
		threads: (wish: PageWish) =>
			pageOfThreads(
				asking,
				mails.filter(({ root }) => root === null),
				wish,
			),
		patches: (wish: PageWish) => pageOfPatchsets(asking, patchsets, wish),
	};
}

function byScatteredId(one: Email, other: Email): number {
	const scattered = ({ id }: Email): number => (id * 37) % 101;
	return scattered(one) - scattered(other) || one.id - other.id;
}

function pageOfLists(asking: Asking, owner: User, wish: PageWish): object {
	const isListed = (list: MailingList): boolean =>
		list.owner === owner && (owner === asking.user || visibilityOf(asking, list) === 'PUBLIC');
	const rows = asking.room.store.lists.filter((list) => isListed(list) && sees(asking, list));
	const show = (list: MailingList): object => describeList(asking, list);
	const page = pageOf(asking.cursors, { rows: rows.toReversed(), key: ({ id }) => id, show }, wish);
	// docs/protocol.md#pages-without-an-end
	return typeof wish.cursor === 'string' ? { results: [], cursor: null } : page;
}

/** Null for a missing or invisible list. */
export function showList(asking: Asking, list: MailingList | undefined): object | null {
	return list === undefined || !sees(asking, list) ? null : describeList(asking, list);
}

function visibilityOf({ said }: Asking, list: MailingList): string {
	const { nonsubscriber, account } = list.permissions;
	const isPublic = nonsubscriber.includes('browse') || account.includes('browse');
	return said.unlisted.has(list) ? 'UNLISTED' : isPublic ? 'PUBLIC' : 'PRIVATE';
}

/** Without an access check: use `showList` unless the caller may see the list. */
export function describeList(asking: Asking, list: MailingList): object {
	const { room, user, said } = asking;
	const { id, createdMs, name, description, emails } = list;
	const origin = room.context.origins.lists;
	const lastMs = emails.at(-1)?.createdMs;
	return {
		__typename: 'MailingList',
		id,
		rid: ridOf('list', id, createdMs),
		created: time(createdMs),
		// Servers never change it (docs/protocol.md#graphql-mails).
		updated: time(createdMs),
		lastActivity: lastMs === undefined ? null : time(lastMs),
		name,
		owner: () => asking.shapes.user(list.owner),
		description,
		visibility: visibilityOf(asking, list),
		permitMime: said.permitMime.get(list) ?? ['text/*', 'application/pgp-signature', 'application/pgp-keys'],
		rejectMime: said.rejectMime.get(list) ?? ['text/html'],
		threads: (wish: PageWish) =>
			pageOfThreads(
				asking,
				emails.filter(({ root }) => root === null),
				wish,
			),
		emails: (wish: PageWish) => pageOfMails(asking, newestFirst(emails), wish),
		patches: (wish: PageWish) => pageOfPatchsets(asking, list.patchsets, wish),
		message({ messageID }: { readonly messageID: string }) {
			return showEmail(
				asking,
				emails.find(({ messageId }) => messageId === messageID),
			);
		},
		importing: false,
		access: () => showRights([...room.access.held(list, user)]),
		defaultACL: () => showRights(list.permissions.account),
		acl() {
			if (list.owner !== user) {
				throw new FieldError('Access denied', { code: 'ERR_ACCESS_DENIED' }, false);
			}
			return { results: [], cursor: null };
		},
		subscription: () =>
			orNull(room.store.findSubscription(user, list), (subscription) => showSubscription(asking, subscription)),
		...asking.hooks.list.fields(asking, list),
		archive: `${origin}/query/list/${id}.mbox`,
		last30days: `${origin}/query/list/${id}.mbox?since=30`,
	};
}

function showRights(held: readonly ListPermission[]): object {
	const words = listPermissions.map((word) => [word, held.includes(word)] as const);
	return { __typename: 'GeneralACL', ...Object.fromEntries(words) };
}

/** `list` is null for an invisible list, although the schema forbids null (docs/protocol.md#graphql-subscriptions). */
export function showSubscription(asking: Asking, { id, createdMs, list }: Subscription): object {
	return {
		__typename: 'MailingListSubscription',
		id,
		created: time(createdMs),
		list: () => showList(asking, list),
	};
}
