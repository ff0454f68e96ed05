import type { Email } from '../../lists/mailModel.ts';
import type { PageWish } from '../cursors.ts';
import { FieldError } from '../engine.ts';
import { time } from '../scalars.ts';
import { type Asking, pageByTime, sees } from './listsAsking.ts';
import { addressesOf, dateOf, headersOf, type NamedAddress } from './mailHeaderFields.ts';
import { blocksOf } from './threadBlocks.ts';

/** Null for a missing or invisible mail. */
export function showEmail(asking: Asking, email: Email | undefined): object | null {
	return email === undefined || !sees(asking, email.list) ? null : describeEmail(asking, email);
}

export function pageOfMails(asking: Asking, rows: readonly Email[], wish: PageWish): object {
	return pageByTime(
		asking,
		{ rows, timeMs: ({ createdMs }) => createdMs, show: (email) => describeEmail(asking, email) },
		wish,
	);
}

/** Threads by the time of their first mail, newest first. */
export function pageOfThreads(asking: Asking, roots: readonly Email[], wish: PageWish): object {
	const rows = roots.toSorted((one, other) => other.createdMs - one.createdMs || other.id - one.id);
	return pageByTime(
		asking,
		{ rows, timeMs: ({ createdMs }) => createdMs, show: (root) => describeThread(asking, root) },
		wish,
	);
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
		parent: () => (parent === null ? null : describeEmail(asking, parent)),
		patch: () => showPatch(email),
		patchset: () => (email.patchset === null ? null : shapes.patchset(email.patchset)),
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
