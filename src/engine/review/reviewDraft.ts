/** Place of a draft comment. Mails are identified by Message-ID, files by index in the diff. */
export type DraftPlace =
	| DraftLines
	| { readonly kind: 'file'; readonly messageId: string; readonly file: number }
	/** A line, from 1: of the `message` or `commentary` of a patch, or of the whole `text` of another mail. */
	| {
			readonly kind: 'text';
			readonly messageId: string;
			readonly part: 'message' | 'commentary' | 'text';
			readonly line: number;
	  }
	/** A whole patch, cover letter or other mail. */
	| { readonly kind: 'mail'; readonly messageId: string };

/** Line numbers of a file on one side; may be outside the diff. */
export interface DraftLines {
	readonly kind: 'lines';
	readonly messageId: string;
	readonly file: number;
	readonly side: 'old' | 'new';
	readonly firstLine: number;
	/** The last line. */
	readonly line: number;
}

/** A change to the patched file around the commented lines, which are on the new side. */
export interface Suggestion {
	/** Line number of the first row in the patched file. */
	readonly firstLine: number;
	/** As in a unified diff: each line starts with its sign. */
	readonly rows: readonly string[];
}

/** An unsent review comment. */
export interface DraftComment {
	/** Unique per place. */
	readonly id: string;
	readonly place: DraftPlace;
	/** Empty for a pure suggestion. */
	readonly text: string;
	readonly suggestion: Suggestion | undefined;
}

export function isEmptyDraft({ text, suggestion }: DraftComment): boolean {
	return text.trim() === '' && suggestion === undefined;
}

/** The parts of a comment in a mail. */
export function saidOf({ id, text, suggestion }: DraftComment): SentComment {
	return { id, text, suggestion };
}

/** Comparable text of a suggestion; empty without one. */
export function suggestedIn({ suggestion }: Pick<SentComment, 'suggestion'>): string {
	return suggestion === undefined ? '' : JSON.stringify([suggestion.firstLine, suggestion.rows]);
}

/** Trailers for a patch, or for a series through its cover letter. */
export const reviewTrailers = ['Reviewed-by', 'Acked-by', 'Tested-by', 'Nacked-by'] as const;
export type ReviewTrailer = (typeof reviewTrailers)[number];

/** The parts of a comment in a mail. */
export type SentComment = Pick<DraftComment, 'id' | 'text' | 'suggestion'>;

/** The original of an edited mail, with its parts of the review. */
export interface MadeFrom {
	readonly text: string;
	readonly comments: readonly SentComment[];
	readonly trailer: ReviewTrailer | undefined;
}

export interface MailEdit {
	/** Headers, a blank line, and the body. Empty if the user deleted everything. */
	readonly text: string;
	/** `undefined` when lost. */
	readonly madeFrom: MadeFrom | undefined;
}

/** True for an unedited mail, which follows the comments. */
export function isUnchanged({ text, madeFrom }: MailEdit): boolean {
	return text === madeFrom?.text;
}

/** An unsent review of a patchset. */
export interface ReviewDraft {
	readonly comments: readonly DraftComment[];
	/** By Message-ID of the patch or cover letter. */
	readonly trailers: ReadonlyMap<string, ReviewTrailer>;
	/** Status for the patchset. */
	readonly status: string | undefined;
	/** By Message-ID of the answered mail. */
	readonly edits: ReadonlyMap<string, MailEdit>;
}

/** Separately stored parts, so that two windows can write on one review. */
export type ReviewPart =
	| { readonly kind: 'comment'; readonly id: string; readonly place: DraftPlace }
	/** Suggestion of the comment with the same id. */
	| { readonly kind: 'suggestion'; readonly id: string; readonly place: DraftLines }
	/** The proposed file while the user edits it for a suggestion. `document`: URI of its original. */
	| { readonly kind: 'suggestedFile'; readonly document: string }
	| { readonly kind: 'trailer'; readonly messageId: string }
	| { readonly kind: 'status' }
	/** Edited reply to this mail. */
	| { readonly kind: 'mail'; readonly messageId: string }
	/** Original of that edit. */
	| { readonly kind: 'mailMadeFrom'; readonly messageId: string }
	/** Send progress. */
	| { readonly kind: 'sending' };
