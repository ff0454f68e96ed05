import type { SeriesMail } from '../series/seriesReading.ts';

/** Where in a series a comment stands. Mails are named by their numbers, files and hunks by their places in the diff. */
export type CommentPlace =
	| LinePlace
	/** On a file as a whole: on the lines of the diff above its first hunk. */
	| { readonly kind: 'file'; readonly mailId: number; readonly file: number }
	/**
	 * On a line, from 1: of the `message` or the `commentary` of a patch, or of the `text` of the cover letter's mail.
	 */
	| { readonly kind: 'message' | 'commentary' | 'cover'; readonly mailId: number; readonly line: number }
	/** On a patch as a whole, or on the series: then the cover letter's number, `undefined` where there is none. */
	| { readonly kind: 'general'; readonly mailId: number | undefined }
	/** On a mail of the conversation that is no part of this series, such as another version of it. */
	| { readonly kind: 'elsewhere' };

/** On a line of a diff; lines that a patch leaves alone count on the new side. */
export interface LinePlace {
	readonly kind: 'line';
	/** The patch mail. */
	readonly mailId: number;
	readonly file: number;
	readonly hunk: number;
	readonly side: 'old' | 'new';
	/** The line that the comment is on, and the first one that was quoted for it, numbered as in the file of that side. */
	readonly line: number;
	readonly firstLine: number;
	/** Offsets in the patch's `diffText`, from the first quoted line to the end of the line that the comment is on. */
	readonly start: number;
	readonly end: number;
}

/** Something that somebody says in a reply. What is in it is hostile text. */
export interface ReviewComment {
	readonly mail: SeriesMail;
	/** Its place among the comments of its mail, from 0. */
	readonly index: number;
	/** What its writer wrote, without blank lines at its ends. */
	readonly prose: string;
	/** The line of its mail's `text`, from 0, that it ends in; where mails are oddly written, one near it. */
	readonly lastLine: number;
	/** The lines that it quotes, without the outer mark. */
	readonly quote: readonly string[];
	/** Where the comment stands; for one that answers another, where the first one of all stands. */
	readonly place: CommentPlace;
	/** The comment of an earlier mail that this one answers. */
	readonly answers: ReviewComment | undefined;
	/** A mere greeting, thanks or a name. */
	readonly isCourtesy: boolean;
}
