import { refText } from './namedRef.ts';
import type { WithExtra } from './extra.ts';
import type { OwnerName, ShortUser } from './user.ts';
import type { Word } from './word.ts';

/** Names a mailing list; the owner may be an e-mail address. */
export interface ListRef {
	readonly owner: OwnerName;
	readonly name: string;
}

export const listPermissionWords = ['browse', 'reply', 'post', 'moderate', 'normal'] as const;
export type ListPermission = Word<(typeof listPermissionWords)[number]>;

/** The form embedded in emails, patchsets and subscriptions (docs/protocol.md#list-fields). */
export interface ShortList {
	readonly name: string;
	readonly owner: ShortUser;
}

export interface MailingList extends ShortList, WithExtra {
	readonly id: number | undefined;
	/** Stays over renames, and the service of projects knows it; told by newer servers over GraphQL alone. */
	readonly rid?: string;
	readonly createdMs: number;
	readonly updatedMs: number;
	/** Markdown. */
	readonly description: string | undefined;
	readonly permissions: ListPermissions | undefined;
}

/** By kind of person; `undefined` for those of whom the list says nothing, which is not that they may do nothing. */
export interface ListPermissions {
	/** What the account itself may do, all things considered. Absent where the server does not tell. */
	readonly mine?: readonly ListPermission[];
	readonly nonsubscriber: readonly ListPermission[] | undefined;
	readonly subscriber: readonly ListPermission[] | undefined;
	readonly account: readonly ListPermission[] | undefined;
}

/** The short form (docs/protocol.md#mail-fields); every email has at least this. */
export interface ShortEmail extends WithExtra {
	readonly id: number;
	readonly createdMs: number;
	readonly subject: string;
	/** With its angle brackets. */
	readonly messageId: string;
	readonly parentId: number | undefined;
	/** `undefined` on the first mail of a thread. */
	readonly threadId: number | undefined;
	readonly list: ShortList | undefined;
	/** `undefined` for a sender without account. */
	readonly sender: ShortUser | undefined;
	/** The From header, if the server states it or the text of a patch is known. Empty if it is in doubt. */
	readonly from?: string;
	/** The patchset's number, where the server tells it. */
	readonly patchsetId: number | undefined;
	/** What the server says of that patchset with the mail; the patchset itself may be newer. Absent where it does not. */
	readonly patchset?: Pick<Patchset, 'version' | 'status'>;
}

export interface Email extends ShortEmail {
	readonly isPatch: boolean;
	readonly isRequestPull: boolean;
	/** Kept by servers on the first mail of a thread only. */
	readonly replies: number;
	readonly participants: number;
	/** The whole mail as received, mbox line and transfer encoding included. */
	readonly envelope: string;
}

/** How much of a list's archive is wanted. */
export interface WantedArchive {
	/** Only the mails of so many days up to now; `undefined` for all. */
	readonly sinceDays: number | undefined;
	/** A larger file ends with the problem `tooLarge`. */
	readonly mostBytes: number;
}

/** What arrived of a list's archive since the piece before. */
export interface ArchivePiece {
	/** Of the file so far. */
	readonly bytes: number;
	/** As they came, transfer encoding included. */
	readonly mails: readonly string[];
}

/** Names a mail by its Message-ID, with angle brackets. */
export interface MailName {
	readonly messageId: string;
	/** Its list where that is known; some forges find a Message-ID nowhere else. */
	readonly list: ListRef | undefined;
}

/** Names a mail: its number, or its Message-ID. */
export type EmailId = number | MailName;

export const patchsetStatuses = [
	'proposed',
	'needs_revision',
	'superseded',
	'approved',
	'rejected',
	'applied',
	'unknown',
] as const;
export type PatchsetStatus = Word<(typeof patchsetStatuses)[number]>;

/**
 * The words that every server lets a patchset be given; `unknown` can only be read (docs/protocol.md#patchset-updates).
 */
export const settablePatchsetStatuses = [
	'proposed',
	'needs_revision',
	'superseded',
	'approved',
	'rejected',
	'applied',
] as const;
/** Words that were seen on a forge and that this version does not know may be set there as well. */
export type SettablePatchsetStatus = Word<(typeof settablePatchsetStatuses)[number]>;

/** Names a patchset: its number counts on the whole server, but it is found through its list. */
export interface PatchsetRef {
	readonly list: ListRef;
	readonly id: number;
}

/** Above every number that a server gives. */
const formedFrom = 1e12;

/** The local number of a patchset that the client forms from mails, made of the number of its first mail. */
export function formedPatchsetId(mailId: number): number {
	return formedFrom + mailId;
}

/** The first mail of a formed patchset; `undefined` for a server patchset. */
export function firstMailOfFormed(patchsetId: number): number | undefined {
	return patchsetId > formedFrom ? patchsetId - formedFrom : undefined;
}

/** How far the work of a tool on a patchset is. */
export const toolStates = ['pending', 'waiting', 'success', 'failed', 'cancelled'] as const;
export type ToolState = Word<(typeof toolStates)[number]>;

/** What a tool, such as a service that builds and tests, says of a patchset (docs/protocol.md#graphql-patchsets). */
export interface PatchsetTool {
	readonly id: number;
	readonly updatedMs: number;
	readonly state: ToolState;
	/** Markdown. */
	readonly details: string;
}

/** A patchset with the fields of contract and servers; either may be missing (docs/protocol.md#patchset-fields). */
export interface Patchset extends WithExtra {
	readonly id: number;
	readonly createdMs: number;
	readonly updatedMs: number;
	readonly subject: string;
	readonly prefix: string | undefined;
	readonly version: number;
	readonly status: PatchsetStatus;
	readonly list: ShortList | undefined;
	readonly coverLetter: ShortEmail | undefined;
	readonly supersededById: number | undefined;
	/** The superseded version. Absent where the server does not state it. For a formed patchset: the server patchset of its thread. */
	readonly supersedesId?: number;
	/** What tools say of it. Absent where the server does not tell. */
	readonly tools?: readonly PatchsetTool[];
	/** The From header of the last patch. */
	readonly submitter: string | undefined;
	readonly replyTo: string | undefined;
	/** Of the last mail of the set, with angle brackets; of the first one for a formed patchset. */
	readonly messageId: string | undefined;
}

export interface Subscription {
	readonly id: number;
	readonly createdMs: number;
	readonly list: ShortList;
}

/** Servers look lists up without regard to case. */
export function listKey(ref: ListRef): string {
	return refText(ref).toLowerCase();
}

/** The ref that names the list of a subscription, mail or patchset. */
export function refOfList(list: ShortList): ListRef {
	return { owner: list.owner.canonicalName, name: list.name };
}
