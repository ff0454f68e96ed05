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
import { check } from '../../shared/checks.ts';
import { byId, type Cursors, type PageWish } from '../cursors.ts';
import { FieldError } from '../engine.ts';
import type { HookKind } from '../hooks.ts';
import { orNull, time, showUser, ridOf } from '../shapes.ts';

/** One request to the list service. */
export interface Asking {
	readonly room: MailRoom;
	/** Caller and token. */
	readonly user: User;
	readonly grant: Grant;
	readonly cursors: Cursors;
	readonly said: SaidOverGraphql;
	readonly hooks: ListHooks;
}

/** Webhooks of the list service, by kind. */
export interface ListHooks {
	readonly user: HookKind<Asking, User>;
	readonly list: HookKind<Asking, MailingList>;
}

/** State without a counterpart in REST, so outside of the stores. */
export type SaidOverGraphql = ReturnType<typeof nothingSaid>;

export interface Tool {
	readonly id: number;
	readonly patchset: Patchset;
	readonly createdMs: number;
	updatedMs: number;
	icon: string;
	details: string;
}

export function nothingSaid() {
	const tools: Tool[] = [];
	return {
		unlisted: new Set<MailingList>(),
		/** Patchsets with the status "unknown", and their earlier status. */
		unknownStatus: new Map<Patchset, Patchset['status']>(),
		tools,
		permitMime: new Map<MailingList, readonly string[]>(),
		rejectMime: new Map<MailingList, readonly string[]>(),
		copiesSelf: new Set<User>(),
	};
}

/** True if the caller may see the list. */
export function sees({ room, user }: Asking, list: MailingList): boolean {
	return room.access.held(list, user).has('browse');
}

/** Objects of the list service. `seen…`: null for a missing or invisible one. The others check no access. */
export function listShapes(asking: Asking) {
	const { room, user, said, cursors, hooks } = asking;
	const { store, context } = room;
	const origin = context.origins.lists;

	const account = (of: User): object => {
		const seen = store.lists.filter((each) => sees(asking, each));
		const mails = seen.flatMap(({ emails }) => emails.filter(({ sender }) => sender === of));
		const patchsets = seen.flatMap((each) => each.patchsets.filter((set) => set.patches.at(-1)?.sender === of));
		return {
			...showUser(of),
			list: ({ name }: { readonly name: string }) => seenList(findOwned(store.lists, of, name)),
			lists(wish: PageWish) {
				const rows = store.lists.filter((each) => each.owner === of && isListed(each) && sees(asking, each));
				const page = cursors.page(rows.toReversed(), byId, list, wish);
				// docs/protocol.md#pages-without-an-end
				return typeof wish.cursor === 'string' ? { results: [], cursor: null } : page;
			},
			// Servers don't sort these, so the cursor is useless.
			emails: (wish: PageWish) => pageOfMails(mails.toSorted(byScatteredId), wish),
			threads: (wish: PageWish) => pageOfThreads(mails, wish),
			patches: (wish: PageWish) => pageByTime(newestFirst(patchsets), patchset, wish),
		};
	};

	const isListed = (of: MailingList): boolean => of.owner === user || visibilityOf(of) === 'PUBLIC';

	/**
	 * A page sorted by time. Servers round the cursor down to a whole second, and the next page begins at that second. So
	 * rows with a fraction of a second disappear, and more than 25 rows of one second repeat forever
	 * (docs/protocol.md#graphql-pages-of-mails).
	 */
	const pageByTime = <T extends { readonly createdMs: number }>(
		rows: readonly T[],
		show: (row: T) => object,
		wish: PageWish,
	): object => cursors.page(rows, ({ createdMs }) => createdMs / 1000, show, wish);

	const pageOfMails = (rows: readonly Email[], wish: PageWish): object => pageByTime(rows, email, wish);

	/** Threads by the time of their first mail, newest first. */
	const pageOfThreads = (mails: readonly Email[], wish: PageWish): object => {
		const roots = mails.filter(({ root }) => root === null);
		return pageByTime(newestFirst(roots), thread, wish);
	};

	const seenEmail = (of: Email | undefined): object | null =>
		of === undefined || !sees(asking, of.list) ? null : email(of);

	const email = (of: Email): object => {
		const { message, messageId, parent } = of;
		const raw = `${origin}/query/email/${of.id}`;
		return {
			__typename: 'Email',
			id: of.id,
			sender: () => sender(of),
			received: time(of.createdMs),
			date: dateOf(of),
			subject: message.subject,
			messageID: bare(messageId),
			inReplyTo: message.inReplyTo === undefined ? null : bare(message.inReplyTo),
			header: ({ want }: { readonly want: string }) => headersOf(of, want),
			addressList: ({ want }: { readonly want: string }) => headersOf(of, want).flatMap(addressesOf).map(showMailbox),
			body: message.text.replaceAll('\n', '\r\n'),
			rawMessage: raw,
			envelope: raw,
			thread: () => thread(of.root ?? of),
			parent: () => orNull(parent, email),
			patch: () => showPatch(of),
			patchset: () => orNull(of.patchset, patchset),
			list: () => list(of.list),
		};
	};

	/** The account with this address, or else the mailbox in the From header. */
	const sender = (of: Email): object => {
		const { message } = of;
		const [named = { name: '', address: message.fromAddress }] = addressesOf(message.from);
		return of.sender === null ? showMailbox(named) : account(of.sender);
	};

	/** Takes the first mail. */
	const thread = (root: Email): object => {
		const { createdMs, message, answers } = root;
		const { owner, name } = root.list;
		return {
			__typename: 'Thread',
			created: time(createdMs),
			updated: time(createdMs),
			subject: message.subject,
			replies: answers.length,
			participants: new Set(answers.map((answer) => answer.message.fromAddress)).size,
			sender: () => sender(root),
			root: () => email(root),
			list: () => list(root.list),
			// Sorted by arrival, but cursors select older rows: page two repeats page one.
			descendants: (wish: PageWish) => pageOfMails(answers, wish),
			mailto() {
				check(answers.length > 0, () => new FieldError('sql: no rows in result set'));
				return `mailto://~${owner.name}%2F${name}@lists.${context.mailDomain}`;
			},
			mbox: `${origin}/query/thread/${root.id}.mbox`,
			blocks: () => blocks(root),
		};
	};

	const blocks = (root: Email): readonly object[] => {
		const all = blocksOf(root);
		return all.map(({ source, text, start, end, parent }, at) => ({
			key: `${source.id}:${start}-${end}`,
			body: text,
			parent,
			children: all.flatMap((other, place) => (other.parent === at ? [place] : [])),
			source: () => email(source),
			sourceRange: { start, end },
			parentRange: null,
		}));
	};

	const seenPatchset = (of: Patchset | undefined): object | null =>
		of === undefined || !sees(asking, of.list) ? null : patchset(of);

	const patchset = (of: Patchset): object => {
		const { id, createdMs, prefix, patches } = of;
		return {
			__typename: 'Patchset',
			id,
			created: time(createdMs),
			// A new status leaves it unchanged.
			updated: time(createdMs),
			subject: of.subject,
			version: of.version,
			prefix: prefix === '' ? null : prefix,
			status: statusOf(asking, of),
			submitter: () => orNull(patches.at(-1), sender),
			coverLetter: () => orNull(of.coverLetter, email),
			thread: () => orNull(patches[0], (each) => thread(each.root ?? each)),
			supersededBy: () => orNull(of.supersededBy, patchset),
			supersedes: () =>
				orNull(
					of.list.patchsets.find((each) => each.supersededBy === of),
					patchset,
				),
			list: () => list(of.list),
			// Sorted by place in the series, but cursors select older rows.
			patches: (wish: PageWish) => pageOfMails(patches, wish),
			tools: () => said.tools.filter((each) => each.patchset === of).map(tool),
			mbox: `${origin}/query/patchset/${id}.mbox`,
		};
	};

	const tool = ({ id, createdMs, updatedMs, icon, details, patchset: of }: Tool): object => ({
		id,
		created: time(createdMs),
		updated: time(updatedMs),
		icon,
		details,
		patchset: () => patchset(of),
	});

	const seenList = (of: MailingList | undefined): object | null =>
		of === undefined || !sees(asking, of) ? null : list(of);

	const visibilityOf = (of: MailingList): string => {
		const { nonsubscriber, account: everyone } = of.permissions;
		const isPublic = nonsubscriber.includes('browse') || everyone.includes('browse');
		return said.unlisted.has(of) ? 'UNLISTED' : isPublic ? 'PUBLIC' : 'PRIVATE';
	};

	const list = (of: MailingList): object => {
		const { id, createdMs, emails } = of;
		const lastMs = emails.at(-1)?.createdMs;
		return {
			__typename: 'MailingList',
			id,
			rid: ridOf('list', id, createdMs),
			created: time(createdMs),
			// Servers never change it (docs/protocol.md#graphql-mails).
			updated: time(createdMs),
			lastActivity: lastMs === undefined ? null : time(lastMs),
			name: of.name,
			owner: () => account(of.owner),
			description: of.description,
			visibility: visibilityOf(of),
			permitMime: said.permitMime.get(of) ?? ['text/*', 'application/pgp-signature', 'application/pgp-keys'],
			rejectMime: said.rejectMime.get(of) ?? ['text/html'],
			threads: (wish: PageWish) => pageOfThreads(emails, wish),
			emails: (wish: PageWish) => pageOfMails(newestFirst(emails), wish),
			patches: (wish: PageWish) => pageByTime(newestFirst(of.patchsets), patchset, wish),
			message: ({ messageID }: { readonly messageID: string }) =>
				seenEmail(emails.find(({ messageId }) => messageId === messageID)),
			importing: false,
			access: () => showRights([...room.access.held(of, user)]),
			defaultACL: () => showRights(of.permissions.account),
			acl() {
				check(of.owner === user, accessDenied);
				return { results: [], cursor: null };
			},
			subscription: () => orNull(store.findSubscription(user, of), subscription),
			...hooks.list.fields(asking, of),
			archive: `${origin}/query/list/${id}.mbox`,
			last30days: `${origin}/query/list/${id}.mbox?since=30`,
		};
	};

	/** `list` is null for an invisible list, although the schema forbids null (docs/protocol.md#graphql-subscriptions). */
	const subscription = ({ id, createdMs, list: of }: Subscription): object => ({
		__typename: 'MailingListSubscription',
		id,
		created: time(createdMs),
		list: () => seenList(of),
	});

	return { account, seenEmail, email, seenPatchset, patchset, tool, seenList, list, subscription };
}

export function accessDenied(): FieldError {
	return new FieldError('Access denied', { code: 'ERR_ACCESS_DENIED' }, false);
}

function newestFirst<T extends { readonly id: number; readonly createdMs: number }>(rows: readonly T[]): readonly T[] {
	return rows.toSorted((one, other) => other.createdMs - one.createdMs || other.id - one.id);
}

function byScatteredId(one: Email, other: Email): number {
	const scattered = ({ id }: Email): number => (id * 37) % 101;
	return scattered(one) - scattered(other) || one.id - other.id;
}

export function statusOf({ said }: Asking, patchset: Patchset): string {
	return said.unknownStatus.get(patchset) === patchset.status ? 'UNKNOWN' : patchset.status.toUpperCase();
}

function showRights(held: readonly ListPermission[]): object {
	const words = listPermissions.map((word) => [word, held.includes(word)] as const);
	return { __typename: 'GeneralACL', ...Object.fromEntries(words) };
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function bare(messageId: string): string {
	return messageId.replace(/^<(.*)>$/, '$1');
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
		for (const piece of pieces) {
			blocks.push({ ...piece, source: email, parent: parent ?? null });
		}
	}
	return blocks;
}

function piecesOf(text: string): readonly Pick<Block, 'text' | 'start' | 'end'>[] {
	return Array.from(text.matchAll(/(?:^(?!>).*\n?)+/gm), ({ 0: piece, index }) => {
		const start = Buffer.byteLength(text.slice(0, index));
		return { text: piece, start, end: start + Buffer.byteLength(piece) };
	}).filter((piece) => piece.text.trim() !== '');
}
