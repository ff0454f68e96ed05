import type { PatchsetStatus } from '../../lists/mailModel.ts';
import type { HeaderLines } from './letter.ts';

/** A file in the base tree of a series. */
export interface BaseFile {
	readonly mode: FileMode;
	readonly content: Buffer;
}

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

/** Puts a mail together. */
type Pack = (head: HeaderLines, text: string) => Buffer;

/** A part of a reply: own words, or a quotation of the hunk up to the line that holds the needle. */
export type ReplyPart = string | { readonly q: string };

export interface ReplyPlan {
	readonly who: string;
	/** Hours after the series, or after the previous reply if that is the parent. */
	readonly hours: number;
	/** Index of the mail in the series (0: cover letter), or the reply before. */
	readonly to: number | 'last';
	readonly says: readonly ReplyPart[];
	readonly headers?: Readonly<Record<string, string>>;
	readonly pack?: Pack;
}

export interface SeriesPlan {
	/** Names the series in the plans. */
	readonly key: string;
	readonly list: string;
	readonly author: string;
	/** Sender, if not the author. */
	readonly sender?: string;
	/** Days after the begin of the world; negative before it. */
	readonly day: number;
	/** Text in the brackets before the version, such as `PATCH lantern`. */
	readonly tag: string;
	readonly version?: number;
	/** People addressed beside the list. */
	readonly to?: readonly string[];
	readonly cover?: { readonly subject: string; readonly text: string };
	readonly commits: readonly CommitPlan[];
	/** Like `git send-email` by default: 8-bit UTF-8 where needed. */
	readonly pack?: Pack;
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

/** One reply. `to` is the index of its parent in the thread, 0 for the opening. */
export interface AnswerPlan {
	readonly who: string;
	readonly hours: number;
	readonly to: number;
	readonly text: string;
	/** Quotes the last words of its parent. */
	readonly quotes?: boolean;
}

export interface ThreadPlan {
	readonly list: string;
	readonly who: string;
	/** Days after the begin of the world. */
	readonly day: number;
	readonly subject: string;
	readonly text: string;
	readonly answers: readonly AnswerPlan[];
}
