import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import { wholeNumber } from './pageValues.ts';
import type { EntryStart } from './pieceProtocol.ts';
import type { TicketPageStrings } from './ticketStrings.ts';
import type { NameChoice, LabelView, PageChange } from './ticketView.ts';

/** An unsent text with its time. */
export interface DraftView {
	readonly text: string;
	readonly atMs: number;
}

/** Initial data of the page. */
export interface TicketPageStart extends EntryStart<PageChange> {
	readonly strings: TicketPageStrings;
	/** The stored draft; the page may have a newer one. */
	readonly draft: DraftView | undefined;
	/** An unfinished send from before a reload of the page. */
	readonly sent: OpenSend | undefined;
	/** Time of the last sent draft. The page drops its own copy of this time or earlier. */
	readonly sentMs: number | undefined;
	readonly order: TimelineOrder;
	/** True to focus the comment box. */
	readonly focusComposer: boolean;
	/** True to open the title and description for editing, on request or because of a draft. */
	readonly editsText: boolean;
}

/**
 * Result of a write. `done` and `arrived`: finished. `missing`: part of it is not on the forge. `unclear`: unknown.
 * `text`: message; may be empty.
 */
export interface SendAnswer {
	readonly kind: 'done' | 'arrived' | 'missing' | 'unclear';
	readonly text: string;
	/** True when the comment is on the forge, or none was sent: the page may drop its draft. */
	readonly isCommentThere: boolean;
}

/** An unfinished send. `answer` is missing while in progress; then `outcome` will answer. */
export interface OpenSend {
	readonly send: TicketPageSend;
	readonly answer: SendAnswer | undefined;
}

/** Result of a comment edit; `href`: the page on the web to edit it. */
export type EditAnswer =
	| { readonly kind: 'done' }
	| { readonly kind: 'failed'; readonly text: string; readonly href: string };

/** Result of the edit. */
export type TextAnswer =
	| { readonly kind: 'done' }
	| { readonly kind: 'failed'; readonly text: string }
	/** Nothing was sent: the ticket changed from the edit's base to `now`. */
	| { readonly kind: 'conflict'; readonly text: string; readonly now: TicketText };

/** A completion. */
export interface Suggestion {
	/** Replaces the trigger character and the text after it, or the text after `label:`. */
	readonly insert: string;
	readonly detail: string;
	/** Preview of a label. */
	readonly label?: LabelView;
}

/** Messages between the ticket page and the host. `changed` arrives before the response. */
export interface TicketProtocol extends Protocol {
	readonly requests: {
		/** `in`: number of the page's current start, 0 for none. */
		readonly load: { readonly in: number; readonly out: TicketPageStart };
		/** Retries a failed ticket or timeline. */
		readonly again: { readonly in: undefined; readonly out: undefined };
		readonly older: { readonly in: undefined; readonly out: undefined };
		readonly send: { readonly in: TicketPageSend; readonly out: SendAnswer };
		/** Checks a write with unknown outcome again. */
		readonly lookAgain: { readonly in: undefined; readonly out: SendAnswer };
		/** Result of the latest send or check; answers when it has one. */
		readonly outcome: { readonly in: undefined; readonly out: SendAnswer };
		readonly labelChoices: { readonly in: undefined; readonly out: readonly NameChoice[] };
		readonly personChoices: { readonly in: undefined; readonly out: readonly NameChoice[] };
		readonly changeAssignees: { readonly in: NameChange; readonly out: SendAnswer };
		readonly changeLabels: { readonly in: NameChange; readonly out: SendAnswer };
		/** A comment's Markdown, by entry. */
		readonly commentText: { readonly in: number; readonly out: string };
		/** The same, or its draft. */
		readonly commentDraft: { readonly in: number; readonly out: string };
		readonly editComment: { readonly in: CommentEdit; readonly out: EditAnswer };
		/** Title and description, or their draft. */
		readonly ticketText: { readonly in: undefined; readonly out: TextStart };
		/** Stores a draft until sent; empty texts delete it. */
		readonly keepText: { readonly in: TicketText; readonly out: undefined };
		readonly subscribe: { readonly in: boolean; readonly out: undefined };
		readonly editText: { readonly in: TextStart; readonly out: TextAnswer };
		/** The user started to write or edit a comment. */
		readonly writing: { readonly in: undefined; readonly out: undefined };
		/** Stores a draft until sent; an empty text deletes it. */
		readonly keepDraft: { readonly in: KeptDraft; readonly out: undefined };
		readonly keepOrder: { readonly in: TimelineOrder; readonly out: undefined };
		readonly complete: { readonly in: CompletionWish; readonly out: readonly Suggestion[] };
		/** Rendered Markdown as safe HTML. */
		readonly preview: { readonly in: string; readonly out: string };
		/** A click on a link. The host applies the link policy. */
		readonly follow: { readonly in: string; readonly out: undefined };
		/** Opens a patchset or mail that mentions the ticket, by key. */
		readonly openNamedIn: { readonly in: string; readonly out: undefined };
		/** Searches the account's lists for such mails; `changed` reports them. */
		readonly lookForNamings: { readonly in: undefined; readonly out: undefined };
		/** Deletes the ticket after the user typed its reference. */
		readonly remove: { readonly in: undefined; readonly out: undefined };
		readonly copyReference: { readonly in: undefined; readonly out: undefined };
		readonly openOnWeb: { readonly in: WebPlace; readonly out: undefined };
	};
	readonly news: {
		/** Embedded in the page itself. */
		readonly start: TicketPageStart;
		readonly changed: PageChange;
		/** Loading may succeed now: the page starts over. */
		readonly reload: undefined;
		/** Focuses the comment box. */
		readonly focusComposer: undefined;
		/** Opens title and description for editing. */
		readonly editText: undefined;
		/** Scrolls to this entry. */
		readonly goTo: number;
		/** Error of a command on the ticket; empty after a success. */
		readonly said: string;
	};
}

/** Limit for text from a page: above the forge's comment limit, so that the host can report the excess. */
const textLimit = 100_000;

export const typedText: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(textLimit));

/** Id of a timeline entry. */
export const entryId: v.GenericSchema<unknown, number> = wholeNumber;

/** A draft to store: a new comment, or an edit of the comment in entry `entryId`. */
export const keptDraft = v.strictObject({
	text: typedText,
	atMs: v.pipe(v.number(), v.finite()),
	entryId: v.optional(entryId),
});
export type KeptDraft = Readonly<v.InferOutput<typeof keptDraft>>;

/** Direction of the timeline. */
export const timelineOrder = v.picklist(['oldest', 'newest']);
export type TimelineOrder = v.InferOutput<typeof timelineOrder>;

/** A send request; the comment may be empty with a move. `move`: key of a status choice. */
export const ticketPageSend = v.strictObject({
	comment: typedText,
	move: v.optional(v.pipe(v.string(), v.maxLength(64))),
});
export type TicketPageSend = Readonly<v.InferOutput<typeof ticketPageSend>>;

const labelNames = v.pipe(v.array(v.pipe(v.string(), v.maxLength(1024))), v.maxLength(1000), v.readonly());

/** Labels to add and remove, in the forge's spelling. */
export const nameChange = v.strictObject({ add: labelNames, remove: labelNames });
export type NameChange = Readonly<v.InferOutput<typeof nameChange>>;

/** New text of a comment, by entry. */
export const commentEdit = v.strictObject({ entryId, text: typedText });
export type CommentEdit = Readonly<v.InferOutput<typeof commentEdit>>;

/** The description is Markdown. */
export const ticketText = v.pipe(v.strictObject({ title: typedText, description: typedText }), v.readonly());
export type TicketText = v.InferOutput<typeof ticketText>;

/** Start of an edit. `from`: its base; missing for a draft with an unknown base. */
export const textStart = v.strictObject({ title: typedText, description: typedText, from: v.optional(ticketText) });
export type TextStart = Readonly<v.InferOutput<typeof textStart>>;

export const isWanted: v.GenericSchema<unknown, boolean> = v.boolean();

export const namedInKey: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(1024));

/** A completion request. `text`: text after the trigger character, or a label name after `label:`, without quotes. */
export const completionWish = v.strictObject({
	kind: v.picklist(['person', 'ticket', 'label']),
	text: v.pipe(v.string(), v.maxLength(256)),
});
export type CompletionWish = Readonly<v.InferOutput<typeof completionWish>>;

/** Pages of the forge for actions that its API lacks. */
export const webPlace = v.picklist(['ticket', 'edit', 'labels', 'delete']);
export type WebPlace = v.InferOutput<typeof webPlace>;
