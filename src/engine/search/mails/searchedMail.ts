import type { Patchset } from 'sourcehut/port/list.ts';
import type { Mark } from 'sourcehut/port/mark.ts';

/** A person in a mail header. */
export interface SearchedPerson {
	readonly name: string;
	readonly address: string;
}

/** The parsed content of a mail. */
export interface SearchedText {
	readonly from: readonly SearchedPerson[];
	readonly to: readonly SearchedPerson[];
	readonly cc: readonly SearchedPerson[];
	/** Names in lower case. */
	readonly headers: readonly { readonly name: string; readonly value: string }[];
	/** The Date header, if valid. */
	readonly dateMs: number | undefined;
	readonly text: string;
}

/** A searchable mail. */
export interface SearchedMail {
	readonly subject: string;
	/** `~name` of the sender's account. */
	readonly account: string | undefined;
	readonly isReply: boolean;
	/** `undefined` when the server doesn't report it. */
	readonly isPatch: boolean | undefined;
	readonly isRequestPull: boolean | undefined;
	/** Its patchset, if known. */
	readonly patchset: Pick<Patchset, 'status' | 'prefix'> | undefined;
	/** Unread mark of its thread. */
	readonly mark: Mark | undefined;
	/** `undefined` until loaded. */
	readonly read: SearchedText | undefined;
}

/** A searchable patchset. */
export interface SearchedPatchset {
	readonly patchset: Patchset;
	/** Its unread mark. */
	readonly mark: Mark | undefined;
	/** Known mails of the patchset: cover letter and patches. */
	readonly mails: readonly SearchedMail[];
}

/** The searching account. */
export interface SearchViewer {
	/** `~name` of the account. */
	readonly me: string;
	/** Known sender addresses of the account. */
	readonly addresses: readonly string[];
	/** The person in a `From` header, if unambiguous. */
	readonly senderIn: (header: string) => SearchedPerson | undefined;
}

/** Result of a match; `unknown` when a term needs data that is not loaded. */
export type Match = 'yes' | 'no' | 'unknown';
