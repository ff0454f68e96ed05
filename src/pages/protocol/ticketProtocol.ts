import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import { wholeNumber } from './pageValues.ts';
import type { TicketPageStrings } from './ticketStrings.ts';
import type { NameChoice, LabelView, PageChange } from './ticketView.ts';

/** An unsent text with its time. */
export interface DraftView {
	readonly text: string;
	readonly atMs: number;
}

/** A draft to store: a new comment, or an edit of the comment in entry `entryId`. */
export interface KeptDraft extends DraftView {
	readonly entryId: number | undefined;
}

/** Direction of the timeline. */
export type TimelineOrder = 'oldest' | 'newest';

/** Initial data of the page. */
export interface TicketPageStart {
	/** Id of this start, for `load`. */
	readonly number: number;
	/** BCP 47 tag of the editor's language. */
	readonly locale: string;
	readonly strings: TicketPageStrings;
	/** Changes since the page's current start; missing without any. */
	readonly change: PageChange | undefined;
	/** Why the ticket failed to load, as a sentence. */
	readonly failure: string | undefined;
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
	/** Entry to scroll to. */
	readonly entry?: number | undefined;
}

/** A send request; the comment may be empty with a move. `move`: key of a status choice. */
export interface TicketPageSend {
	readonly comment: string;
	readonly move: string | undefined;
}

/** Labels to add and remove, in the forge's spelling. */
export interface NameChange {
	readonly add: readonly string[];
	readonly remove: readonly string[];
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

/** New text of a comment, by entry. */
export interface CommentEdit {
	readonly entryId: number;
	readonly text: string;
}

export interface TicketText {
	readonly title: string;
	/** Markdown. */
	readonly description: string;
}

/** Start of an edit. `from`: its base; `undefined` for a draft with an unknown base. */
export interface TextStart extends TicketText {
	readonly from: TicketText | undefined;
}

/** Result of the edit. */
export type TextAnswer =
	| { readonly kind: 'done' }
	| { readonly kind: 'failed'; readonly text: string }
	/** Nothing was sent: the ticket changed from the edit's base to `now`. */
	| { readonly kind: 'conflict'; readonly text: string; readonly now: TicketText };

/** A completion request. */
export interface CompletionWish {
	readonly kind: 'person' | 'ticket' | 'label';
	/** Text after the trigger character, or a label name after `label:`, without quotes. */
	readonly text: string;
}

/** A completion. */
export interface Suggestion {
	/** Replaces the trigger character and the text after it, or the text after `label:`. */
	readonly insert: string;
	readonly detail: string;
	/** Preview of a label. */
	readonly label?: LabelView;
}

/** Pages of the forge for actions that its API lacks. */
export const webPlaces = ['ticket', 'edit', 'labels', 'delete'] as const;
export type WebPlace = (typeof webPlaces)[number];

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

export const keptDraft: v.GenericSchema<unknown, KeptDraft> = v.pipe(
	v.strictObject({ text: typedText, atMs: v.pipe(v.number(), v.finite()), entryId: v.optional(entryId) }),
	v.transform(({ text, atMs, entryId: of }) => ({ text, atMs, entryId: of })),
);

export const timelineOrder: v.GenericSchema<unknown, TimelineOrder> = v.picklist(['oldest', 'newest']);

export const ticketPageSend: v.GenericSchema<unknown, TicketPageSend> = v.pipe(
	v.strictObject({ comment: typedText, move: v.optional(v.pipe(v.string(), v.maxLength(64))) }),
	v.transform(({ comment, move }) => ({ comment, move })),
);

const labelNames = v.pipe(v.array(v.pipe(v.string(), v.maxLength(1024))), v.maxLength(1000));

export const nameChange: v.GenericSchema<unknown, NameChange> = v.strictObject({
	add: labelNames,
	remove: labelNames,
});

export const commentEdit: v.GenericSchema<unknown, CommentEdit> = v.strictObject({ entryId, text: typedText });

const ticketTextFields = { title: typedText, description: typedText };

export const ticketText: v.GenericSchema<unknown, TicketText> = v.strictObject(ticketTextFields);

export const textStart: v.GenericSchema<unknown, TextStart> = v.pipe(
	v.strictObject({ ...ticketTextFields, from: v.optional(ticketText) }),
	v.transform(({ from, ...text }) => ({ ...text, from })),
);

export const isWanted: v.GenericSchema<unknown, boolean> = v.boolean();

export const namedInKey: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(1024));

export const completionWish: v.GenericSchema<unknown, CompletionWish> = v.strictObject({
	kind: v.picklist(['person', 'ticket', 'label']),
	text: v.pipe(v.string(), v.maxLength(256)),
});

export const webPlace: v.GenericSchema<unknown, WebPlace> = v.picklist(webPlaces);
