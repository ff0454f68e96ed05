import { firstMailOfFormed, formedPatchsetId, type FormedFacts } from 'patchmail/series/listedPatchset.ts';
import { refText } from './namedRef.ts';
import type { WithExtra } from './extra.ts';
import type { OwnerName, ShortUser } from './user.ts';
import type { Word } from './word.ts';

/** A mailing list; the owner may be an email address. */
export interface ListRef {
	readonly owner: OwnerName;
	readonly name: string;
}

export const listPermissionWords = ['browse', 'reply', 'post', 'moderate', 'normal'] as const;
export type ListPermission = Word<(typeof listPermissionWords)[number]>;

/** Short form embedded in emails, patchsets and subscriptions (docs/protocol.md#list-fields). */
export interface ShortList {
	readonly name: string;
	readonly owner: ShortUser;
}

export interface MailingList extends ShortList, WithExtra {
	readonly id: number | undefined;
	/**
	 * Id that survives renames and identifies the list in the project service. Only newer servers send it, over
	 * GraphQL.
	 */
	readonly rid?: string;
	readonly createdMs: number;
	readonly updatedMs: number;
	/** Markdown. */
	readonly description: string | undefined;
	readonly permissions: ListPermissions | undefined;
	/** To send mails to. Only archives state it; that of a forge follows from the name. */
	readonly address?: string;
	/** Others that reach it. */
	readonly otherAddresses?: readonly string[];
}

/** By kind of person. `undefined`: the list reports nothing, so the permissions are unknown, not empty. */
export interface ListPermissions {
	/** Effective permissions of the account. Absent if the server does not report them. */
	readonly mine?: readonly ListPermission[];
	readonly nonsubscriber: readonly ListPermission[] | undefined;
	readonly subscriber: readonly ListPermission[] | undefined;
	readonly account: readonly ListPermission[] | undefined;
}

/** Short form (docs/protocol.md#mail-fields); every email has at least these fields. */
export interface ShortEmail extends WithExtra {
	readonly id: number;
	readonly createdMs: number;
	readonly subject: string;
	/** Includes the angle brackets. */
	readonly messageId: string;
	readonly parentId: number | undefined;
	/** `undefined` on the first mail of a thread. */
	readonly threadId: number | undefined;
	readonly list: ShortList | undefined;
	/** `undefined` for a sender without an account. */
	readonly sender: ShortUser | undefined;
	/** From header, if the server states it or the client has the patch text. Empty if in doubt. */
	readonly from?: string;
	/** Patchset number, if the server reports it. */
	readonly patchsetId: number | undefined;
	/** State of that patchset in this answer; the patchset may be newer. Absent if the server does not report it. */
	readonly patchset?: Pick<Patchset, 'version' | 'status'>;
}

export interface Email extends ShortEmail {
	readonly isPatch: boolean;
	readonly isRequestPull: boolean;
	/** Servers set this on the first mail of a thread only. */
	readonly replies: number;
	readonly participants: number;
	/** The whole mail as received, with mbox line and transfer encoding. */
	readonly envelope: string;
}

/** Limits of an archive download. */
export interface WantedArchive {
	/** Only mails of the last days; `undefined` for all. */
	readonly sinceDays: number | undefined;
	/** A larger file throws `tooLarge`. */
	readonly mostBytes: number;
}

/** Next part of an archive download. */
export interface ArchivePiece {
	/** Bytes of the file so far. */
	readonly bytes: number;
	/** Raw mails, with transfer encoding. */
	readonly mails: readonly string[];
}

/** A mail by Message-ID, with angle brackets. */
export interface MailName {
	readonly messageId: string;
	/** Its list, if known. Some forges can't find a Message-ID otherwise. */
	readonly list: ListRef | undefined;
}

/** A mail by number or by Message-ID. */
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
/** `none`: mail archives keep no status. */
export type PatchsetStatus = Word<(typeof patchsetStatuses)[number]> | 'none';

/** Statuses that every server accepts. `unknown` is read-only (docs/protocol.md#patchset-updates). */
export const settablePatchsetStatuses = [
	'proposed',
	'needs_revision',
	'superseded',
	'approved',
	'rejected',
	'applied',
] as const;
/** Includes unknown statuses seen on a forge, because that forge may accept them. */
export type SettablePatchsetStatus = Word<(typeof settablePatchsetStatuses)[number]>;

/** A patchset. Its number is unique on the server, but requests need its list. */
export interface PatchsetRef {
	readonly list: ListRef;
	readonly id: number;
}

/** Short name for addresses and folders: `7`, or `mail-31` for a formed patchset. */
export function patchsetName(patchsetId: number): string {
	const mailId = firstMailOfFormed(patchsetId);
	return mailId === undefined ? String(patchsetId) : `mail-${mailId}`;
}

/** Inverse of `patchsetName`. */
export function patchsetNamed(name: string): number | undefined {
	const [, mail, number] = /^(mail-)?([1-9]\d{0,15})$/.exec(name) ?? [];
	return number === undefined ? undefined : mail === undefined ? Number(number) : formedPatchsetId(Number(number));
}

/** Progress of a tool on a patchset. */
export const toolStates = ['pending', 'waiting', 'success', 'failed', 'cancelled'] as const;
export type ToolState = Word<(typeof toolStates)[number]>;

/** Result of a tool, such as a build service, for a patchset (docs/protocol.md#graphql-patchsets). */
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
	/** Put together from rows of a search. `submitter` is a name without an address. Reading the patchset shows all. */
	readonly isGuess?: true;
	/** Numbers of patches that such rows lack. */
	readonly missing?: { readonly indexes: readonly number[]; readonly count: number };
	readonly list: ShortList | undefined;
	readonly coverLetter: ShortEmail | undefined;
	readonly supersededById: number | undefined;
	/**
	 * The superseded version. Absent if the server does not state it. For a formed patchset: the first version in its
	 * thread.
	 */
	readonly supersedesId?: number;
	/** Only of a patchset that the client forms. */
	readonly formed?: FormedFacts;
	/** Absent if the server does not report tools. */
	readonly tools?: readonly PatchsetTool[];
	/** The From header of the last patch. */
	readonly submitter: string | undefined;
	readonly replyTo: string | undefined;
	/** Message-ID of the last mail, with angle brackets; of the first mail for a formed patchset. */
	readonly messageId: string | undefined;
}

export interface Subscription {
	readonly id: number;
	readonly createdMs: number;
	readonly list: ShortList;
}

/** Case-insensitive, as on servers. */
export function listKey(ref: ListRef): string {
	return refText(ref).toLowerCase();
}

export function refOfList(list: ShortList): ListRef {
	return { owner: list.owner.canonicalName, name: list.name };
}
