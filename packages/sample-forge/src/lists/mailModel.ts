import type { User } from '../shared/area.ts';
import type { Message, PatchPlace } from '../mail/message.ts';

/** Stored list permissions; responses add the combined one (docs/protocol.md#list-permissions). */
export const listPermissions = ['browse', 'reply', 'post', 'moderate'] as const;
export type ListPermission = (typeof listPermissions)[number];

export const patchsetStatuses = [
	'proposed',
	'needs_revision',
	'superseded',
	'approved',
	'rejected',
	'applied',
] as const;
export type PatchsetStatus = (typeof patchsetStatuses)[number];

export function isPatchsetStatus(value: unknown): value is PatchsetStatus {
	return patchsetStatuses.some((word) => word === value);
}

export interface ListPermissionTable {
	nonsubscriber: readonly ListPermission[];
	subscriber: readonly ListPermission[];
	account: readonly ListPermission[];
}

export interface MailingList {
	readonly id: number;
	readonly owner: User;
	readonly name: string;
	readonly createdMs: number;
	updatedMs: number;
	description: string | null;
	readonly permissions: ListPermissionTable;
	/** In the order of arrival. */
	readonly emails: Email[];
	/** In order of completion. */
	readonly patchsets: Patchset[];
}

export interface Email {
	readonly id: number;
	readonly list: MailingList;
	/** Time of arrival. */
	readonly createdMs: number;
	readonly messageId: string;
	readonly message: Message;
	/** Parsed subject of a patch or cover letter. */
	readonly place: PatchPlace | undefined;
	/** Null for an address without account. */
	readonly sender: User | null;
	readonly parent: Email | null;
	/** First mail of the thread; null on that mail itself. */
	readonly root: Email | null;
	/** On the first mail of a thread: all that followed, in the order of arrival. */
	readonly answers: Email[];
	patchset: Patchset | null;
	/** The mail as text: CRLF line ends, body still encoded, without the mbox line. Bytes that are no UTF-8 are lost. */
	readonly text: string;
	/** The mail as it came, with CRLF and without the mbox line, as GraphQL services keep it since 2025-11. */
	readonly bytes: Uint8Array;
}

export interface Patchset {
	readonly id: number;
	readonly list: MailingList;
	readonly createdMs: number;
	updatedMs: number;
	readonly subject: string;
	/** Empty when the subject has none. */
	readonly prefix: string;
	readonly version: number;
	status: PatchsetStatus;
	readonly coverLetter: Email | null;
	/** Ordered by index. */
	readonly patches: readonly Email[];
	supersededBy: Patchset | null;
}

export interface Subscription {
	readonly id: number;
	readonly user: User;
	readonly list: MailingList;
	readonly createdMs: number;
}
