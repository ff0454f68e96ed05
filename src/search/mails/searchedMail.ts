import type { Patchset } from '../../forge/list.ts';
import type { Mark } from '../../forge/mark.ts';

/** Somebody in a mail's headers. */
export interface SearchedPerson {
	readonly name: string;
	readonly address: string;
}

/** What was read of a mail. */
export interface SearchedText {
	readonly from: readonly SearchedPerson[];
	readonly to: readonly SearchedPerson[];
	readonly cc: readonly SearchedPerson[];
	/** Names in lower case. */
	readonly headers: readonly { readonly name: string; readonly value: string }[];
	/** The Date header, where it can be understood. */
	readonly dateMs: number | undefined;
	readonly text: string;
}

/** A mail and what is known of it, for searching. */
export interface SearchedMail {
	readonly subject: string;
	/** `~name` of the sender's account. */
	readonly account: string | undefined;
	/** It answers another mail. */
	readonly isReply: boolean;
	/** `undefined` where the server does not tell. */
	readonly isPatch: boolean | undefined;
	readonly isRequestPull: boolean | undefined;
	/** The patchset that it belongs to, where that is known. */
	readonly patchset: Pick<Patchset, 'status' | 'prefix'> | undefined;
	/** Why its conversation is unread. */
	readonly mark: Mark | undefined;
	/** `undefined` while nobody has read it. */
	readonly read: SearchedText | undefined;
}

/** A patchset and what is known of its mails, for searching. */
export interface SearchedPatchset {
	readonly patchset: Patchset;
	/** Why it is unread. */
	readonly mark: Mark | undefined;
	/** Those of its mails that are known, cover letter and patches; empty when none are. */
	readonly mails: readonly SearchedMail[];
}

/** Who searches. */
export interface SearchViewer {
	/** `~name` of the account. */
	readonly me: string;
	/** Addresses that the account writes from, as far as they are known. */
	readonly addresses: readonly string[];
	/** The one person that a header `From` names beyond doubt. */
	readonly senderIn: (header: string) => SearchedPerson | undefined;
}

/** What came of looking: `unknown` where a term asks for something that was not read. */
export type Match = 'yes' | 'no' | 'unknown';
