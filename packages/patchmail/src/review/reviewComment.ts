import type { SeriesMail } from '../series/seriesReading.ts';

/** Place of a comment in a series. Mails are identified by number, files and hunks by index in the diff. */
export type CommentPlace =
	| LinePlace
	/** A whole file: the diff lines above its first hunk. `line`: outside the diff, as the comment says. */
	| { readonly kind: 'file'; readonly mailId: number; readonly file: number; readonly line?: number }
	/** A line, from 1: of the `message` or `commentary` of a patch, or of the `text` of the cover letter's mail. */
	| { readonly kind: 'message' | 'commentary' | 'cover'; readonly mailId: number; readonly line: number }
	/** A whole patch, or the series: the number of the cover letter, `undefined` without one. */
	| { readonly kind: 'general'; readonly mailId: number | undefined }
	/** A mail of the thread outside this series, such as another version. */
	| { readonly kind: 'elsewhere' };

/** A line of a diff; context lines count on the new side. */
export interface LinePlace {
	readonly kind: 'line';
	/** Number of the patch mail. */
	readonly mailId: number;
	readonly file: number;
	readonly hunk: number;
	readonly side: 'old' | 'new';
	/** The commented line and the first quoted one, as line numbers of that side. */
	readonly line: number;
	readonly firstLine: number;
	/** Offsets in the patch's `diffText`, from the first quoted line to the end of the commented line. */
	readonly start: number;
	readonly end: number;
}

/** A comment in a reply. All its text is untrusted. */
export interface ReviewComment {
	readonly mail: SeriesMail;
	/** Index among the comments of its mail. */
	readonly index: number;
	/** The writer's text, without blank lines at both ends. */
	readonly prose: string;
	/** Its last line in the mail's `text`, from 0; approximate for unusual mails. */
	readonly lastLine: number;
	/** The quoted lines, without the outer mark. */
	readonly quote: readonly string[];
	/** Place of the comment; for an answer, the place of the first comment. */
	readonly place: CommentPlace;
	/** The comment of an earlier mail that this one answers. */
	readonly answers: ReviewComment | undefined;
	/** Only a greeting, thanks or a name. */
	readonly isCourtesy: boolean;
}
