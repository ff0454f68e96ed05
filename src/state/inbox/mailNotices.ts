import { listKey, type ListRef, type Patchset, type ShortEmail } from '../../forge/list.ts';
import { patchSubject, subjectOfThread } from '../../forge/patchSubject.ts';
import type { InboxPosition, Watching } from './inboxBook.ts';
import { strongest, thingKey, type InboxEntry, type InboxThing } from './inboxEntry.ts';

/** A mail that came to a list, and what it is about. */
export interface AboutMail {
	readonly list: ListRef;
	readonly mail: ShortEmail;
	/** Subject of the mail that its conversation begins with, where that is known. */
	readonly firstSubject: string | undefined;
	/** The patchset that its conversation is about, where that is known. */
	readonly patchset: Pick<Patchset, 'id' | 'subject'> | undefined;
}

/** The same with what is known around it. */
export interface ArrivedMail extends AboutMail {
	/** The account began the conversation, with a patch. */
	readonly isMyPatch: boolean;
	/** The account has written in the conversation. */
	readonly takesPart: boolean;
	/** What the mail itself says of the account; `undefined` where it was not read. */
	readonly read: MailSays | undefined;
	readonly watching: Watching;
}

/** What a mail itself says of an account. */
export interface MailSays {
	/** Its text names the account. */
	readonly namesMe: boolean;
	/** It goes to the account's own address as well. */
	readonly isToMe: boolean;
}

/** A patchset as it was read, and what is known of it already. */
export interface ReadPatchset {
	readonly list: ListRef;
	readonly patchset: Patchset;
	readonly known: InboxPosition | undefined;
	/** When it was read, which is the time of what the forge tells none of. */
	readonly readMs: number;
	/** Came to the list after the inbox began to look at it. */
	readonly isNew: boolean;
	readonly isMine: boolean;
	/** The account has answered to it. */
	readonly takesPart: boolean;
	/** The account has answered to an earlier version. */
	readonly reviewedBefore: boolean;
	/** Its first mail goes to the account's own address as well. */
	readonly isToMe: boolean;
	readonly watching: Watching;
}

/** Most patches are told by their patchset, once it is complete. */
export function isPatchMail({ subject }: Pick<ShortEmail, 'subject'>): boolean {
	return patchSubject(subject)?.isReply === false;
}

/** What a mail brings to the inbox, if it concerns the account. A patch is one without a patchset: it is told once for its version. */
export function mailNotice(arrived: ArrivedMail): readonly InboxEntry[] {
	const { list, mail, watching, read, isMyPatch, takesPart } = arrived;
	if (watching === 'nothing') {
		return [];
	}
	const part = isPatchMail(mail) ? 'newVersion' : 'participating';
	const reason = strongest([
		read?.namesMe === true || read?.isToMe === true ? 'mentioned' : undefined,
		isMyPatch ? 'answered' : undefined,
		takesPart ? part : undefined,
		watching === 'everything' ? 'followed' : undefined,
	]);
	return reason === undefined
		? []
		: [
				{
					id: entryIdOf(list, mail),
					thing: thingOfMail(arrived),
					atMs: mail.createdMs,
					by: mail.sender?.canonicalName,
					reason,
					event: { kind: 'mailArrived', mailId: mail.id, subject: mail.subject },
				},
			];
}

/** The patches of one version in a thread have one id, so that they are told once. */
function entryIdOf(list: ListRef, mail: ShortEmail): string {
	const patch = patchSubject(mail.subject);
	return patch?.isReply === false
		? `patch ${listKey(list)} ${mail.threadId ?? mail.id} ${patch.prefix} v${patch.version}`
		: `mail ${listKey(list)} ${mail.id}`;
}

/** What a new patchset, or another status of one, brings to the inbox. */
export function patchsetNotices(read: ReadPatchset): readonly InboxEntry[] {
	const { list, patchset, known, isNew, watching } = read;
	if (watching === 'nothing') {
		return [];
	}
	const thing: InboxThing = { kind: 'patchset', ref: { list, id: patchset.id }, subject: patchset.subject };
	const received: readonly InboxEntry[] =
		isNew && known === undefined && !read.isMine
			? told(read, {
					id: `${thingKey(thing)} received`,
					thing,
					atMs: patchset.createdMs,
					by: patchset.submitter,
					event: { kind: 'patchsetReceived', version: patchset.version },
				})
			: [];
	const marked: readonly InboxEntry[] =
		known !== undefined && known.detail !== patchset.status
			? told(read, {
					// Not every server moves the time of a patchset with its status, and that of what is known grows with each.
					id: `${thingKey(thing)} ${patchset.status} after ${known.sinceMs}`,
					thing,
					atMs: isTimeTold(patchset, known) ? patchset.updatedMs : Math.max(read.readMs, patchset.updatedMs),
					by: undefined,
					event: { kind: 'patchsetMarked', status: patchset.status },
				})
			: [];
	return [...received, ...marked];
}

/**
 * Whether its own time says when it got another status than the one that is known. On some servers that time stays what it was
 * at the beginning (`docs/protocol.md#graphql-mails`).
 */
export function isTimeTold({ updatedMs }: Pick<Patchset, 'updatedMs'>, known: InboxPosition | undefined): boolean {
	return known === undefined || updatedMs > known.sinceMs;
}

/** The name under which it is kept which status of a patchset is known. */
export function patchsetPosition(list: ListRef, id: number): string {
	return thingKey({ kind: 'patchset', ref: { list, id }, subject: '' });
}

function told(read: ReadPatchset, entry: Omit<InboxEntry, 'reason'>): readonly InboxEntry[] {
	const { isMine, isToMe, reviewedBefore, takesPart, watching } = read;
	const reason = strongest([
		isToMe && !isMine ? 'reviewAsked' : undefined,
		isMine ? 'answered' : undefined,
		reviewedBefore ? 'newVersion' : undefined,
		takesPart ? 'participating' : undefined,
		watching === 'everything' ? 'followed' : undefined,
	]);
	return reason === undefined ? [] : [{ ...entry, reason }];
}

/** What a mail is about: the patchset of its conversation, or the conversation. */
export function thingOfMail({ list, mail, patchset, firstSubject }: AboutMail): InboxThing {
	return patchset === undefined
		? { kind: 'thread', list, id: mail.threadId ?? mail.id, subject: subjectOfThread(firstSubject ?? mail.subject) }
		: { kind: 'patchset', ref: { list, id: patchset.id }, subject: patchset.subject };
}
