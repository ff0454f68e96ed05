import type { PatchsetStatus } from '../../lists/mailModel.ts';
import type { WriterName } from './people.ts';

/** One change of a commit to the files of its parent. */
export type FileChange =
	/** Replaces text that must be there exactly once. */
	| readonly ['edit', path: string, find: string, replace: string]
	| readonly ['add', path: string, content: string | Uint8Array]
	| readonly ['drop', path: string]
	| readonly ['move', from: string, to: string]
	| readonly ['mode', path: string, mode: FileMode];

export type FileMode = '100644' | '100755';

export interface CommitPlan {
	readonly subject: string;
	/** Text below the subject; may be empty. */
	readonly text: string;
	readonly changes: readonly FileChange[];
}

/** How the mails of a series are put together. */
export type MailForm =
	/** Like `git send-email`: 8-bit UTF-8 where needed. */
	| 'plain'
	| 'quoted-printable'
	| 'base64'
	/** Other charsets, quoted-printable and base64. */
	| 'latin1'
	| 'koi8'
	/** Raw Latin-1 bytes; the server stores UTF-8 and damages them. */
	| 'latin1-raw'
	/** A letter with the patch as text/x-patch. */
	| 'attached'
	/** multipart/signed around the patch. */
	| 'signed'
	/** The mail program broke long lines. */
	| 'wrapped'
	/** format=flowed with stuffed lines. */
	| 'flowed';

/** A part of a reply: own words, or a quotation of the hunk up to the line that holds the needle. */
export type ReplyPart = string | { readonly q: string };

export interface ReplyPlan {
	readonly who: WriterName;
	/** Hours after the series, or after the previous reply if that is the parent. */
	readonly hours: number;
	/** Index of the mail in the series (0: cover letter), or the reply before. */
	readonly to: number | 'last';
	readonly says: readonly ReplyPart[];
	readonly headers?: Readonly<Record<string, string>>;
	/** HTML without plain text, as stored by a server that accepts everything. */
	readonly form?: 'html';
}

export interface SeriesPlan {
	/** Names the series in the plans. */
	readonly key: string;
	readonly list: 'lantern-devel' | 'wick-devel' | 'many';
	readonly author: WriterName;
	/** Sender, if not the author. */
	readonly sender?: WriterName;
	/** Days after the begin of the world. */
	readonly day: number;
	/** Text in the brackets before the version, such as `PATCH lantern`. */
	readonly tag: string;
	readonly version?: number;
	readonly cover?: { readonly subject: string; readonly text: string };
	readonly commits: readonly CommitPlan[];
	readonly form?: MailForm;
	/** Indexes that were never sent. */
	readonly leftOut?: readonly number[];
	/** Sending order of the mails by index; defaults to their own order. */
	readonly sentOrder?: readonly number[];
	/** Series whose first mail is this one's parent. */
	readonly answers?: string;
	/** Status changes, hours after the series. */
	readonly moves?: readonly (readonly [status: PatchsetStatus, hours: number])[];
	readonly talk?: readonly ReplyPlan[];
}
