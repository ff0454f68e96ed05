/** Where a comment that is being written stands. Mails go by their Message-IDs, files by their places in the diff. */
export type DraftPlace =
	| DraftLines
	| { readonly kind: 'file'; readonly messageId: string; readonly file: number }
	/** On a line, from 1: of the `message` or `commentary` of a patch, or of the whole `text` of another mail. */
	| {
			readonly kind: 'text';
			readonly messageId: string;
			readonly part: 'message' | 'commentary' | 'text';
			readonly line: number;
	  }
	/** On a patch, the cover letter or another mail as a whole. */
	| { readonly kind: 'mail'; readonly messageId: string };

/** Lines of a file, numbered as in the file of that side; they may stand outside of what the patch shows. */
export interface DraftLines {
	readonly kind: 'lines';
	readonly messageId: string;
	readonly file: number;
	readonly side: 'old' | 'new';
	readonly firstLine: number;
	/** The last one. */
	readonly line: number;
}

/** A change to the patched file around the lines that a comment is on, which are on the new side then. */
export interface Suggestion {
	/** Number of the first line of `rows` in the patched file. */
	readonly firstLine: number;
	/** As in a unified diff: each begins with its sign, a blank where the line stays. */
	readonly rows: readonly string[];
}

/** A comment of a review that is not sent yet. */
export interface DraftComment {
	/** Tells comments of one place apart. */
	readonly id: string;
	readonly place: DraftPlace;
	/** Empty where there is only a suggestion. */
	readonly text: string;
	readonly suggestion: Suggestion | undefined;
}

/** A comment that says nothing and suggests nothing. */
export function isEmptyDraft({ text, suggestion }: DraftComment): boolean {
	return text.trim() === '' && suggestion === undefined;
}

/** What of a comment a mail says. */
export function saidOf({ id, text, suggestion }: DraftComment): SentComment {
	return { id, text, suggestion };
}

/** What is suggested, as a text to compare; empty for nothing. */
export function suggestedIn({ suggestion }: Pick<SentComment, 'suggestion'>): string {
	return suggestion === undefined ? '' : JSON.stringify([suggestion.firstLine, suggestion.rows]);
}

/** What a reviewer may give a patch, or a whole series by its cover letter. */
export const reviewTrailers = ['Reviewed-by', 'Acked-by', 'Tested-by', 'Nacked-by'] as const;
export type ReviewTrailer = (typeof reviewTrailers)[number];

/** What of a comment is in a mail. */
export type SentComment = Pick<DraftComment, 'id' | 'text' | 'suggestion'>;

/** What a mail was before somebody edited it, and what of the review is in it. */
export interface MadeFrom {
	readonly text: string;
	readonly comments: readonly SentComment[];
	readonly trailer: ReviewTrailer | undefined;
}

/** A mail of a review as somebody edited it. */
export interface MailEdit {
	/** Its headers above an empty line. Empty where all of it was deleted. */
	readonly text: string;
	/** `undefined` where that was lost. */
	readonly madeFrom: MadeFrom | undefined;
}

/** Whether nobody changed anything, so that the mail follows the comments. */
export function isUnchanged({ text, madeFrom }: MailEdit): boolean {
	return text === madeFrom?.text;
}

/** All that somebody is going to say of a patchset. */
export interface ReviewDraft {
	readonly comments: readonly DraftComment[];
	/** By the Message-ID of the mail that it is for. */
	readonly trailers: ReadonlyMap<string, ReviewTrailer>;
	/** The status that the patchset is to get. */
	readonly status: string | undefined;
	/** By the Message-ID of the mail that is answered. */
	readonly edits: ReadonlyMap<string, MailEdit>;
}

/** What of a review is kept by itself, so that two windows can write on one review. */
export type ReviewPart =
	| { readonly kind: 'comment'; readonly id: string; readonly place: DraftPlace }
	/** Of the comment with the same id. */
	| { readonly kind: 'suggestion'; readonly id: string; readonly place: DraftLines }
	/**
	 * The proposed file while somebody changes it, to suggest what is different. `document`: the address of the document
	 * that it began as.
	 */
	| { readonly kind: 'suggestedFile'; readonly document: string }
	| { readonly kind: 'trailer'; readonly messageId: string }
	| { readonly kind: 'status' }
	/** The mail that answers this one, as somebody edited it. */
	| { readonly kind: 'mail'; readonly messageId: string }
	/** What that was before. */
	| { readonly kind: 'mailMadeFrom'; readonly messageId: string }
	/** How far sending the review is. */
	| { readonly kind: 'sending' };
