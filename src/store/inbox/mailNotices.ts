import { listKey, type ListRef, type Patchset, type ShortEmail } from 'sourcehut/port/list.ts';
import { patchSubject, subjectOfThread } from 'patchmail/series/patchSubject.ts';
import type { InboxPosition, Watching } from './inboxBook.ts';
import { strongest, thingKey, type InboxEntry, type InboxThing } from './inboxEntry.ts';

/** A new mail on a list and its context. */
export interface AboutMail {
	readonly list: ListRef;
	readonly mail: ShortEmail;
	/** Subject of the conversation's first mail, if known. */
	readonly firstSubject: string | undefined;
	/** The conversation's patchset, if known. */
	readonly patchset: Pick<Patchset, 'id' | 'subject'> | undefined;
}

/** A new mail and its relation to the account. */
export interface ArrivedMail extends AboutMail {
	/** The account started the conversation, with a patch. */
	readonly isMyPatch: boolean;
	/** The account has written in the conversation. */
	readonly takesPart: boolean;
	/** From the mail's text and headers; `undefined` if it wasn't downloaded. */
	readonly read: MailSays | undefined;
	readonly watching: Watching;
}

/** Mentions of the account in a mail. */
export interface MailSays {
	/** The text mentions the account. */
	readonly namesMe: boolean;
	/** A recipient is the account's own address. */
	readonly isToMe: boolean;
	/** The sender is. Own mails in archives have no account. */
	readonly isOwn: boolean;
}

/** A patchset and its known position. */
export interface ReadPatchset {
	readonly list: ListRef;
	readonly patchset: Patchset;
	readonly known: InboxPosition | undefined;
	/** Time of the read, as a fallback for missing timestamps. */
	readonly readMs: number;
	/** Arrived after the inbox started to watch the list. */
	readonly isNew: boolean;
	readonly isMine: boolean;
	/** The account has replied to it. */
	readonly takesPart: boolean;
	/** The account has replied to an earlier version. */
	readonly reviewedBefore: boolean;
	/** A recipient of its first mail is the account's own address. */
	readonly isToMe: boolean;
	readonly watching: Watching;
}

/** The patchset reports most patches, once it is complete. */
export function isPatchMail({ subject }: ShortEmail): boolean {
	return patchSubject(subject)?.isReply === false;
}

/** The entry for a mail, if it concerns the account. A patch without a patchset gets one entry per version. */
export function mailNotice(arrived: ArrivedMail): readonly InboxEntry[] {
	const { list, mail, watching, read, isMyPatch, takesPart } = arrived;
	if (watching === 'nothing') {
		return [];
	}
	const patch = patchSubject(mail.subject);
	const isPatch = patch?.isReply === false;
	const reason = strongest([
		read?.namesMe === true || read?.isToMe === true ? 'mentioned' : undefined,
		isMyPatch ? 'answered' : undefined,
		takesPart ? (isPatch ? 'newVersion' : 'participating') : undefined,
		watching === 'everything' ? 'followed' : undefined,
	]);
	return reason === undefined
		? []
		: [
				{
					// The patches of one version in a thread share an id, so they make one entry.
					id: isPatch
						? `patch ${listKey(list)} ${mail.threadId ?? mail.id} ${patch.prefix} v${patch.version}`
						: `mail ${listKey(list)} ${mail.id}`,
					thing: thingOfMail(arrived),
					atMs: mail.createdMs,
					by: mail.sender?.canonicalName,
					reason,
					event: { kind: 'mailArrived', mailId: mail.id, subject: mail.subject },
				},
			];
}

/** Entries for a new patchset, or for its changed status. */
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
		known !== undefined && known.detail !== patchset.status && patchset.status !== 'none'
			? told(read, {
					// Some servers don't update a patchset's time with its status, but the known time grows with each
					// change.
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
 * True if the patchset's own time dates the status change. On some servers this time never changes
 * (`docs/protocol.md#graphql-mails`).
 */
export function isTimeTold({ updatedMs }: Patchset, known: InboxPosition | undefined): boolean {
	return known === undefined || updatedMs > known.sinceMs;
}

/** Name of the position with a patchset's known status. */
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

/** The patchset of the conversation, or the conversation itself. */
export function thingOfMail({ list, mail, patchset, firstSubject }: AboutMail): InboxThing {
	return patchset === undefined
		? { kind: 'thread', list, id: mail.threadId ?? mail.id, subject: subjectOfThread(firstSubject ?? mail.subject) }
		: { kind: 'patchset', ref: { list, id: patchset.id }, subject: patchset.subject };
}
