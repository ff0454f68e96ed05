import {
	type Email,
	type MailingList,
	type Patchset,
	type ListPermission,
	type Subscription,
	listPermissions,
} from '../../lists/mailModel.ts';
import type { MailRoom } from '../../lists/mailRoom.ts';
import { decodeWords } from '../../mail/encoding.ts';
import { firstAddress, parseHeaders } from '../../mail/message.ts';
import { type Grant, type User, findOwned } from '../../shared/area.ts';
import { type Cursors, type PageWish, pageOf } from '../cursors.ts';
import { FieldError } from '../engine.ts';
import type { HookKind } from '../hooks.ts';
import { orNull, time, showUser as showAccount, ridOf } from '../shapes.ts';

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
function pageByTime<T extends { readonly createdMs: number }>(
	{ cursors }: Asking,
	rows: readonly T[],
	show: (row: T) => object,
	wish: PageWish,
): object {
	return pageOf(cursors, { rows, key: ({ createdMs }) => createdMs / 1000, mark: Math.floor, show }, wish);
}

function newestFirst<T extends { readonly id: number; readonly createdMs: number }>(rows: readonly T[]): readonly T[] {
	return rows.toSorted((one, other) => other.createdMs - one.createdMs || other.id - one.id);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Null for a missing or invisible mail. */
export function showEmail(asking: Asking, email: Email | undefined): object | null {
	return email === undefined || !sees(asking, email.list) ? null : describeEmail(asking, email);
}

function pageOfMails(asking: Asking, rows: readonly Email[], wish: PageWish): object {
	return pageByTime(asking, rows, (email) => describeEmail(asking, email), wish);
}

/** Threads by the time of their first mail, newest first. */
function pageOfThreads(asking: Asking, roots: readonly Email[], wish: PageWish): object {
	return pageByTime(asking, newestFirst(roots), (root) => describeThread(asking, root), wish);
}

export function describeEmail(asking: Asking, email: Email): object {
	const { id, message, messageId, parent, createdMs } = email;
	const { shapes } = asking;
	const raw = `${asking.room.context.origins.lists}/query/email/${id}`;
	return {
		__typename: 'Email',
		id,
		sender: () => showSender(asking, email),
		received: time(createdMs),
		date: dateOf(email),
		subject: message.subject,
		messageID: bare(messageId),
		inReplyTo: message.inReplyTo === undefined ? null : bare(message.inReplyTo),
		header: ({ want }: Wanted) => headersOf(email, want),
		addressList: ({ want }: Wanted) => headersOf(email, want).flatMap(addressesOf).map(showMailbox),
		body: message.text.replaceAll('\n', '\r\n'),
		rawMessage: raw,
		envelope: raw,
		thread: () => describeThread(asking, email.root ?? email),
		parent: () => orNull(parent, (each) => describeEmail(asking, each)),
		patch: () => showPatch(email),
		patchset: () => orNull(email.patchset, shapes.patchset),
		list: () => shapes.list(email.list),
	};
}

interface Wanted {
	readonly want: string;
}

function bare(messageId: string): string {
	return messageId.replace(/^<(.*)>$/, '$1');
}

/** The account with this address, or else the mailbox in the From header. */
function showSender(asking: Asking, { sender, message }: Email): object {
	const [named = { name: '', address: message.fromAddress }] = addressesOf(message.from);
	return sender === null ? showMailbox(named) : asking.shapes.user(sender);
}

/** Without a name, the canonical name begins with a space. */
function showMailbox({ name, address }: NamedAddress): object {
	return { __typename: 'Mailbox', canonicalName: `${name} <${address}>`, name, address };
}

/** Never null: a plain mail has null in every field. */
function showPatch({ message, place }: Email): object {
	const isAnswer = /^re:/i.test(message.subject);
	if (place === undefined || isAnswer || (place.index > 0 && !message.holdsPatch)) {
		return { index: null, count: null, version: null, prefix: null, subject: null, trailers: [] };
	}
	const { index, count, version, prefix, subject } = place;
	return { index, count, version, prefix: prefix === '' ? null : prefix, subject, trailers: trailersOf(message.text) };
}

/** Trailers in the last paragraph before the diff. */
function trailersOf(text: string): readonly object[] {
	const [commit = ''] = text.split(/^---$/m, 1);
	const [last = ''] = commit
		.trimEnd()
		.split(/\n\s*\n/)
		.slice(-1);
	return last.split('\n').flatMap((line) => {
		const [, name, value] = /^([\w-]+): (.+)$/.exec(line) ?? [];
		return name === undefined ? [] : [{ name, value }];
	});
}

export function describeThread(asking: Asking, root: Email): object {
	const { createdMs, message, answers, list } = root;
	return {
		__typename: 'Thread',
		created: time(createdMs),
		updated: time(createdMs),
		subject: message.subject,
		replies: answers.length,
		participants: new Set(answers.map((answer) => answer.message.fromAddress)).size,
		sender: () => showSender(asking, root),
		root: () => describeEmail(asking, root),
		list: () => asking.shapes.list(list),
		// Sorted by arrival, but cursors select older rows: page two repeats page one.
		descendants: (wish: PageWish) => pageOfMails(asking, answers, wish),
		mailto() {
			if (answers.length === 0) {
				throw new FieldError('sql: no rows in result set');
			}
			return `mailto://~${list.owner.name}%2F${list.name}@lists.${asking.room.context.mailDomain}`;
		},
		mbox: `${asking.room.context.origins.lists}/query/thread/${root.id}.mbox`,
		blocks: () => showBlocks(asking, root),
	};
}

function showBlocks(asking: Asking, root: Email): readonly object[] {
	const blocks = blocksOf(root);
	return blocks.map(({ source, text, start, end, parent }, at) => ({
		key: `${source.id}:${start}-${end}`,
		body: text,
		parent,
		children: blocks.flatMap((other, place) => (other.parent === at ? [place] : [])),
		source: () => describeEmail(asking, source),
		sourceRange: { start, end },
		parentRange: null,
	}));
}

/** All headers of a name, in order, decoded. */
function headersOf({ text }: Email, name: string): readonly string[] {
	const [head = ''] = text.split('\r\n\r\n', 1);
	return parseHeaders(head).flatMap(([each, value]) =>
		each.toLowerCase() === name.toLowerCase() ? [decodeWords(value)] : [],
	);
}

/** A name and an address in a header. */
interface NamedAddress {
	readonly name: string;
	readonly address: string;
}

function addressesOf(header: string): readonly NamedAddress[] {
	const parts = header.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? [];
	return parts.map((part) => ({
		name: (/^(.*)<[^>]*>/.exec(part)?.[1] ?? '').replaceAll('"', '').trim(),
		address: firstAddress(part),
	}));
}

/** The Date header as RFC 3339 in its own zone; null if missing or unreadable. */
function dateOf(email: Email): string | null {
	const [header = ''] = headersOf(email, 'Date');
	const found = /(\d{1,2}) (\w{3}) (\d{4}) (\d\d):(\d\d)(?::(\d\d))? ([+-]\d\d)(\d\d)/.exec(header);
	const [, day = '', month = '', year, hour, minute, second = '00', zoneHours, zoneMinutes] = found ?? [];
	const at = String(months.indexOf(month) + 1).padStart(2, '0');
	const zone = `${zoneHours}:${zoneMinutes}`;
	return found === null
		? null
		: `${year}-${at}-${day.padStart(2, '0')}T${hour}:${minute}:${second}${zone === '+00:00' ? 'Z' : zone}`;
}

/** A piece of a mail between two quotes. */
interface Block {
	readonly source: Email;
	readonly text: string;
	/** Byte offset in the mail's text. */
	readonly start: number;
	readonly end: number;
	/** Index of the answered block; null in the first mail. */
	readonly parent: number | null;
}

/**
 * Blocks of a thread in mail order; mails without text have none. The parent of a quote was never observed: this forge
 * takes the first block of the parent mail.
 */
function blocksOf(root: Email): readonly Block[] {
	const blocks: Block[] = [];
	const firstOf = new Map<Email, number>();
	for (const email of [root, ...root.answers]) {
		const parent = email.parent === null ? undefined : (firstOf.get(email.parent) ?? 0);
		const pieces = piecesOf(email.message.text);
		if (pieces.length > 0) {
			firstOf.set(email, blocks.length);
		}
		blocks.push(...pieces.map((piece) => ({ ...piece, source: email, parent: parent ?? null })));
	}
	return blocks;
}

function piecesOf(text: string): readonly Pick<Block, 'text' | 'start' | 'end'>[] {
	return Array.from(text.matchAll(/(?:^(?!>).*\n?)+/gm), ({ 0: piece, index }) => {
		const start = Buffer.byteLength(text.slice(0, index));
		return { text: piece, start, end: start + Buffer.byteLength(piece) };
	}).filter((piece) => piece.text.trim() !== '');
}

/** Null for a missing or invisible patchset. */
export function showPatchset(asking: Asking, patchset: Patchset | undefined): object | null {
	return patchset === undefined || !sees(asking, patchset.list) ? null : describePatchset(asking, patchset);
}

function pageOfPatchsets(asking: Asking, patchsets: readonly Patchset[], wish: PageWish): object {
	return pageByTime(asking, newestFirst(patchsets), (patchset) => describePatchset(asking, patchset), wish);
}

export function statusOf({ said }: Asking, patchset: Patchset): string {
	return said.unknownStatus.get(patchset) === patchset.status ? 'UNKNOWN' : patchset.status.toUpperCase();
}

export function describePatchset(asking: Asking, patchset: Patchset): object {
	const { id, createdMs, subject, version, prefix, coverLetter, supersededBy, list, patches } = patchset;
	const [first] = patches;
	const last = patches.at(-1);
	return {
		__typename: 'Patchset',
		id,
		created: time(createdMs),
		// A new status leaves it unchanged.
		updated: time(createdMs),
		subject,
		version,
		prefix: prefix === '' ? null : prefix,
		status: statusOf(asking, patchset),
		submitter: () => orNull(last, (each) => showSender(asking, each)),
		coverLetter: () => orNull(coverLetter, (each) => describeEmail(asking, each)),
		thread: () => orNull(first, (each) => describeThread(asking, each.root ?? each)),
		supersededBy: () => orNull(supersededBy, (each) => describePatchset(asking, each)),
		supersedes() {
			const older = list.patchsets.find((each) => each.supersededBy === patchset);
			return orNull(older, (each) => describePatchset(asking, each));
		},
		list: () => asking.shapes.list(list),
		// Sorted by place in the series, but cursors select older rows.
		patches: (wish: PageWish) => pageOfMails(asking, patches, wish),
		tools: () => asking.said.tools.filter((tool) => tool.patchset === patchset).map((tool) => showTool(asking, tool)),
		mbox: `${asking.room.context.origins.lists}/query/patchset/${id}.mbox`,
	};
}

export function showTool(asking: Asking, { id, createdMs, updatedMs, icon, details, patchset }: Tool): object {
	return {
		id,
		created: time(createdMs),
		updated: time(updatedMs),
		icon,
		details,
		patchset: () => describePatchset(asking, patchset),
	};
}

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
