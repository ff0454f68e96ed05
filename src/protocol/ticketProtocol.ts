import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import { wholeNumber } from './pageValues.ts';
import type { TicketPageStrings } from './ticketStrings.ts';
import type { NameChoice, LabelView, PageChange } from './ticketView.ts';

/** A text that was typed and not sent, and when. */
export interface DraftView {
	readonly text: string;
	readonly atMs: number;
}

/** A draft to be kept: of a new comment, or of a change of the comment in the entry `entryId`. */
export interface KeptDraft extends DraftView {
	readonly entryId: number | undefined;
}

/** Which way the timeline runs. */
export type TimelineOrder = 'oldest' | 'newest';

/** What the page starts with. */
export interface TicketPageStart {
	/** Tells one start of a page from another; `load` says to which one it adds. */
	readonly number: number;
	/** BCP 47 tag of the editor's language. */
	readonly locale: string;
	readonly strings: TicketPageStrings;
	/** What is different from the start that the page has; missing when nothing is. */
	readonly change: PageChange | undefined;
	/** Why the ticket could not be read, as a sentence. */
	readonly failure: string | undefined;
	/** What the host kept; the page may know a later one. */
	readonly draft: DraftView | undefined;
	/** What was sent in an earlier life of the page and is not over. */
	readonly sent: OpenSend | undefined;
	/** Time of the last sent draft. The page drops its own copy of this time or earlier. */
	readonly sentMs: number | undefined;
	readonly order: TimelineOrder;
	/** True when the page was opened to write a comment. */
	readonly focusComposer: boolean;
	/** True when the page was opened to change title and description, or somebody began to and has not sent that. */
	readonly editsText: boolean;
	/** The entry at which the page was opened. */
	readonly entry?: number | undefined;
}

/** What the page wants sent, in one request; the comment may be empty when there is a move. `move` is a choice's key. */
export interface TicketPageSend {
	readonly comment: string;
	readonly move: string | undefined;
}

/** Labels to put on and to take off, as the forge writes them. */
export interface NameChange {
	readonly add: readonly string[];
	readonly remove: readonly string[];
}

/**
 * How a write ended: `done` and `arrived` are over, of `missing` something is not on the forge, and of `unclear` nobody
 * knows. `text` says it in words and is empty when there is nothing to say.
 */
export interface SendAnswer {
	readonly kind: 'done' | 'arrived' | 'missing' | 'unclear';
	readonly text: string;
	/** True when the forge has the comment, or none was sent: its draft may go. */
	readonly isCommentThere: boolean;
}

/** Something that was sent and of which more is to be heard. `answer` is missing while it is on its way: `outcome` tells. */
export interface OpenSend {
	readonly send: TicketPageSend;
	readonly answer: SendAnswer | undefined;
}

/** How changing a comment ended; `href` is where it can be changed on the web. */
export type EditAnswer =
	| { readonly kind: 'done' }
	| { readonly kind: 'failed'; readonly text: string; readonly href: string };

/** A comment that is to be changed, by its entry, and its new text. */
export interface CommentEdit {
	readonly entryId: number;
	readonly text: string;
}

/** What a ticket says. */
export interface TicketText {
	readonly title: string;
	/** Markdown. */
	readonly description: string;
}

/** What a change of it begins with. `from`: what it stands on; `undefined` for a draft of which nobody knows that. */
export interface TextStart extends TicketText {
	readonly from: TicketText | undefined;
}

/** How changing it ended. */
export type TextAnswer =
	| { readonly kind: 'done' }
	| { readonly kind: 'failed'; readonly text: string }
	/** Nothing was sent: the ticket does not say any more what the change stands on, but `now`. */
	| { readonly kind: 'conflict'; readonly text: string; readonly now: TicketText };

/** What is being typed and may be completed. */
export interface CompletionWish {
	readonly kind: 'person' | 'ticket' | 'label';
	/** What stands behind the sign, or of a label's name behind `label:`, without quotes. */
	readonly text: string;
}

/** A way to complete what is typed. */
export interface Suggestion {
	/** Put in place of the sign and what stands behind it, or of what stands behind `label:`. */
	readonly insert: string;
	readonly detail: string;
	/** How a label looks; only labels have it. */
	readonly label?: LabelView;
}

/** Pages of the forge that do what its API cannot. */
export const webPlaces = ['ticket', 'edit', 'labels', 'delete'] as const;
export type WebPlace = (typeof webPlaces)[number];

/** Words between the ticket page and the host. What changes is told by `changed`, before the request is answered. */
export interface TicketProtocol extends Protocol {
	readonly requests: {
		/** `in`: number of the start that the page has already, 0 for none. */
		readonly load: { readonly in: number; readonly out: TicketPageStart };
		/** Reads the ticket or its timeline again after a failure. */
		readonly again: { readonly in: undefined; readonly out: undefined };
		readonly older: { readonly in: undefined; readonly out: undefined };
		readonly send: { readonly in: TicketPageSend; readonly out: SendAnswer };
		/** Looks once more after a write of which nobody knows. */
		readonly lookAgain: { readonly in: undefined; readonly out: SendAnswer };
		/** How the latest of all that was sent or looked for ended; answers when it has. */
		readonly outcome: { readonly in: undefined; readonly out: SendAnswer };
		readonly labelChoices: { readonly in: undefined; readonly out: readonly NameChoice[] };
		readonly personChoices: { readonly in: undefined; readonly out: readonly NameChoice[] };
		readonly changeAssignees: { readonly in: NameChange; readonly out: SendAnswer };
		readonly changeLabels: { readonly in: NameChange; readonly out: SendAnswer };
		/** A comment as it was written, by its entry. */
		readonly commentText: { readonly in: number; readonly out: string };
		/** The same, or as it was being changed. */
		readonly commentDraft: { readonly in: number; readonly out: string };
		readonly editComment: { readonly in: CommentEdit; readonly out: EditAnswer };
		/** Title and description as they are, or as they were being changed. */
		readonly ticketText: { readonly in: undefined; readonly out: TextStart };
		/** Kept by the host until it is sent; where both are empty it is forgotten. */
		readonly keepText: { readonly in: TicketText; readonly out: undefined };
		readonly subscribe: { readonly in: boolean; readonly out: undefined };
		readonly editText: { readonly in: TextStart; readonly out: TextAnswer };
		/** Somebody begins to write: a comment, or the change of one. */
		readonly writing: { readonly in: undefined; readonly out: undefined };
		/** Kept by the host until it is sent; an empty one is forgotten. */
		readonly keepDraft: { readonly in: KeptDraft; readonly out: undefined };
		readonly keepOrder: { readonly in: TimelineOrder; readonly out: undefined };
		readonly complete: { readonly in: CompletionWish; readonly out: readonly Suggestion[] };
		/** Markdown as it will look, as safe HTML. */
		readonly preview: { readonly in: string; readonly out: string };
		/** Opens a link that was clicked; the host decides whether and how. */
		readonly follow: { readonly in: string; readonly out: undefined };
		/** Opens a patchset or mail that names the ticket, by its key. */
		readonly openNamedIn: { readonly in: string; readonly out: undefined };
		/** Looks for such mails in the lists that the account knows; they are told by `changed`. */
		readonly lookForNamings: { readonly in: undefined; readonly out: undefined };
		/** Deletes the ticket, once its reference was typed. */
		readonly remove: { readonly in: undefined; readonly out: undefined };
		readonly copyReference: { readonly in: undefined; readonly out: undefined };
		readonly openOnWeb: { readonly in: WebPlace; readonly out: undefined };
	};
	readonly news: {
		/** What is known when the page is opened; it comes with the page itself. */
		readonly start: TicketPageStart;
		readonly changed: PageChange;
		/** What made loading fail may be over: the page starts anew. */
		readonly reload: undefined;
		/** Somebody wants to write a comment. */
		readonly focusComposer: undefined;
		/** Somebody wants to change title and description. */
		readonly editText: undefined;
		/** Somebody wants to see this entry. */
		readonly goTo: number;
		/** Why something failed that a command did to the ticket; empty once one has succeeded. */
		readonly said: string;
	};
}

/** The longest text that a page may hand over: a comment at the forge's limit with room to be told that it is too long. */
const textLimit = 100_000;

/** A text that somebody typed. */
export const typedText: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(textLimit));

/** Names an entry of the timeline. */
export const entryId: v.GenericSchema<unknown, number> = wholeNumber;

/** What the page asks to be kept. */
export const keptDraft: v.GenericSchema<unknown, KeptDraft> = v.pipe(
	v.strictObject({ text: typedText, atMs: v.pipe(v.number(), v.finite()), entryId: v.optional(entryId) }),
	v.transform(({ text, atMs, entryId: of }) => ({ text, atMs, entryId: of })),
);

/** Which way the timeline is to run from now on. */
export const timelineOrder: v.GenericSchema<unknown, TimelineOrder> = v.picklist(['oldest', 'newest']);

/** What `send` may carry. */
export const ticketPageSend: v.GenericSchema<unknown, TicketPageSend> = v.pipe(
	v.strictObject({ comment: typedText, move: v.optional(v.pipe(v.string(), v.maxLength(64))) }),
	v.transform(({ comment, move }) => ({ comment, move })),
);

const labelNames = v.pipe(v.array(v.pipe(v.string(), v.maxLength(1024))), v.maxLength(1000));

/** What `changeLabels` may carry. */
export const nameChange: v.GenericSchema<unknown, NameChange> = v.strictObject({
	add: labelNames,
	remove: labelNames,
});

/** What `editComment` may carry. */
export const commentEdit: v.GenericSchema<unknown, CommentEdit> = v.strictObject({ entryId, text: typedText });

const ticketTextFields = { title: typedText, description: typedText };

/** What `keepText` may carry. */
export const ticketText: v.GenericSchema<unknown, TicketText> = v.strictObject(ticketTextFields);

/** What `editText` may carry. */
export const textStart: v.GenericSchema<unknown, TextStart> = v.pipe(
	v.strictObject({ ...ticketTextFields, from: v.optional(ticketText) }),
	v.transform(({ from, ...text }) => ({ ...text, from })),
);

/** What `subscribe` may carry. */
export const isWanted: v.GenericSchema<unknown, boolean> = v.boolean();

/** What `openNamedIn` may carry. */
export const namedInKey: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(1024));

/** What `complete` may carry. */
export const completionWish: v.GenericSchema<unknown, CompletionWish> = v.strictObject({
	kind: v.picklist(['person', 'ticket', 'label']),
	text: v.pipe(v.string(), v.maxLength(256)),
});

/** Where on the web. */
export const webPlace: v.GenericSchema<unknown, WebPlace> = v.picklist(webPlaces);
