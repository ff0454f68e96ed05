import type { SentSeries } from '../../../src/worlds/lists/tellMail.ts';

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

/** A series with the content that git makes its mails from. */
export interface SeriesPlan extends SentSeries {
	/** Text in the brackets before the version, such as `PATCH lantern`. */
	readonly tag: string;
	readonly version?: number;
	readonly cover?: { readonly subject: string; readonly text: string };
	readonly commits: readonly CommitPlan[];
}
