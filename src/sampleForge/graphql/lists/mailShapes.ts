import type { Email } from '../../lists/mailModel.ts';
import { decodeWords } from '../../mail/encodedWords.ts';
import { firstAddress, parseHeaders } from '../../mail/mailHeaders.ts';
import type { PageWish } from '../cursors.ts';
import { FieldError } from '../engine.ts';
import { orNull, time } from '../scalars.ts';
import { type Asking, newestFirst, pageByTime, sees } from './listsAsking.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Null for a missing or invisible mail. */
export function showEmail(asking: Asking, email: Email | undefined): object | null {
	return email === undefined || !sees(asking, email.list) ? null : describeEmail(asking, email);
}

export function pageOfMails(asking: Asking, rows: readonly Email[], wish: PageWish): object {
	return pageByTime(asking, rows, (email) => describeEmail(asking, email), wish);
}

/** Threads by the time of their first mail, newest first. */
export function pageOfThreads(asking: Asking, roots: readonly Email[], wish: PageWish): object {
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
export function showSender(asking: Asking, { sender, message }: Email): object {
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
