import * as v from 'valibot';

/* Drafts on disk are read by these schemas: those of earlier versions must match, too. */

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const messageId = v.string();

/** Line numbers of a file on one side; may be outside the diff. `line` is the last. */
const draftLines = v.object({
	kind: v.literal('lines'),
	messageId,
	file: count,
	side: v.picklist(['old', 'new']),
	firstLine: count,
	line: count,
});
export type DraftLines = Readonly<v.InferOutput<typeof draftLines>>;

const draftPlace = v.variant('kind', [
	draftLines,
	v.object({ kind: v.literal('file'), messageId, file: count }),
	/** A line, from 1: of the `message` or `commentary` of a patch, or of the whole `text` of another mail. */
	v.object({ kind: v.literal('text'), messageId, part: v.picklist(['message', 'commentary', 'text']), line: count }),
	/** A whole patch, cover letter or other mail. */
	v.object({ kind: v.literal('mail'), messageId }),
]);
/** Place of a draft comment. Mails are identified by Message-ID, files by index in the diff. */
export type DraftPlace = Readonly<v.InferOutput<typeof draftPlace>>;

/**
 * A change to the patched file around the commented lines, which are on the new side. `firstLine`: line number of the
 * first row in the patched file. `rows`: as in a unified diff, each line starts with its sign.
 */
export const suggestion = v.object({
	firstLine: count,
	rows: v.pipe(v.array(v.pipe(v.string(), v.regex(/^[ +\\-]/))), v.readonly()),
});
export type Suggestion = Readonly<v.InferOutput<typeof suggestion>>;

/** The parts of a comment in a mail. `text`: empty for a pure suggestion. */
export const sentComment = v.object({ id: v.string(), text: v.string(), suggestion: v.optional(suggestion) });
export type SentComment = Readonly<v.InferOutput<typeof sentComment>>;

/** Origin of a draft that moved to a later version. */
export const movedFrom = v.object({
	/** Id and version of the earlier patchset, in the same list. */
	patchset: v.pipe(v.number(), v.safeInteger()),
	version: count,
	place: draftPlace,
	suggestion: v.optional(suggestion),
	/** The later version has other lines at its place. */
	isChanged: v.boolean(),
	/** The commented lines of the earlier version, with their signs. */
	lines: v.pipe(v.array(v.string()), v.readonly()),
	/** It is on its way back. */
	isReturning: v.optional(v.boolean()),
});
export type MovedFrom = Readonly<v.InferOutput<typeof movedFrom>>;

/** An unsent review comment. Its id is unique per place, and stays when it moves to another version. */
export interface DraftComment extends SentComment {
	readonly place: DraftPlace;
	readonly moved?: MovedFrom | undefined;
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

/** The original of an edited mail, with its parts of the review. */
export const madeFrom = v.object({
	text: v.string(),
	comments: v.pipe(v.array(sentComment), v.readonly()),
	trailer: v.optional(v.picklist(reviewTrailers)),
});
export type MadeFrom = Readonly<v.InferOutput<typeof madeFrom>>;

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
export const reviewPart = v.variant('kind', [
	v.object({ kind: v.literal('comment'), id: v.string(), place: draftPlace }),
	/** Suggestion of the comment with the same id. */
	v.object({ kind: v.literal('suggestion'), id: v.string(), place: draftLines }),
	/** Origin of the comment with the same id. */
	v.object({ kind: v.literal('movedFrom'), id: v.string() }),
	/** The proposed file while the user edits it for a suggestion. `document`: URI of its original. */
	v.object({ kind: v.literal('suggestedFile'), document: v.string() }),
	v.object({ kind: v.literal('trailer'), messageId }),
	v.object({ kind: v.literal('status') }),
	/** Edited reply to this mail. */
	v.object({ kind: v.literal('mail'), messageId }),
	/** Original of that edit. */
	v.object({ kind: v.literal('mailMadeFrom'), messageId }),
	/** Send progress. */
	v.object({ kind: v.literal('sending') }),
]);
export type ReviewPart = Readonly<v.InferOutput<typeof reviewPart>>;
