import { findOwned } from '../shared/area.ts';
import type { ListAddress } from './listAddress.ts';
import type { Email, MailingList, PatchsetStatus } from './mailModel.ts';
import { isPatchsetStatus } from './mailModel.ts';
import type { MailRoom } from './mailRoom.ts';
import { submitterOf, type Received } from './mailStore.ts';
import { headerOf, readMessage, type Message } from '../mail/message.ts';

/** Result of a mail for one list. */
export type Verdict =
	| { readonly kind: 'taken'; readonly received: Received }
	/** Thrown away without a word to the sender. */
	| { readonly kind: 'dropped' }
	/** `reason` is for the sender. */
	| { readonly kind: 'refused'; readonly reason: string };

export const maxMailBytes = 8 * 1024 * 1024;

/** Handles a raw mail for a list (docs/protocol.md#list-addresses): checks, stores, and notifies webhooks. */
export function receiveMail(room: MailRoom, list: MailingList, raw: Uint8Array): Verdict {
	const message = readMessage(raw);
	const reason = whyRefused(room, list, message);
	if (reason !== undefined) {
		return { kind: 'refused', reason };
	}
	if (/^auto-/i.test(headerOf(message.headers, 'Auto-Submitted') ?? '')) {
		return { kind: 'dropped' };
	}
	const received = room.store.receive(list, raw, room.context.nowMs());
	if (received === undefined) {
		return { kind: 'dropped' };
	}
	room.hooks.received(received);
	moveByHeader(room, received.email);
	return { kind: 'taken', received };
}

const neededHeaders = ['From', 'Subject', 'Message-ID'];
const allowedTypes = /^(?:text\/(?!html$)[^\s]+|application\/pgp-(?:signature|keys))$/;

function whyRefused({ context, access, store }: MailRoom, list: MailingList, message: Message): string | undefined {
	const missing = neededHeaders.find((name) => headerOf(message.headers, name) === undefined);
	if (missing !== undefined || message.messageId === undefined) {
		return `The ${missing ?? 'Message-ID'} header is missing or empty.`;
	}
	if (headerOf(message.headers, 'To') === undefined && headerOf(message.headers, 'Cc') === undefined) {
		return 'The mail names no recipient in To or Cc.';
	}
	if (!message.hasPlainText) {
		return 'This list takes plain text only; please send the mail again without HTML.';
	}
	const odd = message.types.find((type) => !allowedTypes.test(type));
	if (odd !== undefined) {
		return `This list does not take parts of the type ${odd}.`;
	}
	const answers = store.findEmails(message.inReplyTo ?? '').some((each) => each.list === list);
	const held = access.held(list, context.users.byEmail(message.fromAddress));
	return held.has(answers ? 'reply' : 'post') ? undefined : `You may not ${answers ? 'answer' : 'post'} on this list.`;
}

const bySubmitter: ReadonlySet<PatchsetStatus> = new Set(['rejected', 'superseded', 'needs_revision']);
const final: ReadonlySet<PatchsetStatus> = new Set(['applied', 'approved', 'rejected']);

/** A mail in a set's thread may carry the set's new status in a header (docs/protocol.md#patchset-updates). */
function moveByHeader({ store, context }: MailRoom, email: Email): void {
	const status = headerOf(email.message.headers, 'X-Sourcehut-Patchset-Update')?.trim().toLowerCase();
	const root = email.root ?? email;
	const patchset = [root, ...root.answers].find((each) => each.patchset !== null)?.patchset;
	if (patchset === undefined || patchset === null || !isPatchsetStatus(status)) {
		return;
	}
	const submitted = submitterOf(patchset) === email.message.from;
	const asSubmitter = submitted && bySubmitter.has(status) && !final.has(patchset.status);
	if (email.sender === email.list.owner || asSubmitter) {
		store.setStatus(patchset, status, context.nowMs());
	}
}

/** The list that an address means; undefined when there is none. */
export function findList({ context, store }: MailRoom, { owner, list }: ListAddress): MailingList | undefined {
	return findOwned(store.lists, context.users.byName(owner), list);
}

/** Changes the subscription of an address's account; ignores addresses without account. */
export function changeSubscription(
	{ context, store, access }: MailRoom,
	list: MailingList,
	command: 'subscribe' | 'unsubscribe',
	raw: Uint8Array,
): Verdict {
	const user = context.users.byEmail(readMessage(raw).fromAddress);
	if (user === undefined) {
		return { kind: 'dropped' };
	}
	const found = store.findSubscription(user, list);
	if (command === 'unsubscribe') {
		if (found !== undefined) {
			store.unsubscribe(found);
		}
		return { kind: 'dropped' };
	}
	if (!access.held(list, user).has('browse')) {
		return { kind: 'refused', reason: 'You may not subscribe to this list.' };
	}
	store.subscribe(user, list, context.nowMs());
	return { kind: 'dropped' };
}
