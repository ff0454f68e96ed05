import * as v from 'valibot';
import type { Protocol } from './channel.ts';

/** What stands in a sentence of the page. Text is text: the page never reads it as HTML. */
export type Part =
	| { readonly kind: 'text'; readonly text: string }
	/**
	 * `detail`: the full name for the tooltip. `mark`: how somebody without an account took part, shown after the name.
	 * `href`: their page, if they have one.
	 */
	| {
			readonly kind: 'person';
			readonly name: string;
			readonly detail: string;
			readonly mark: string | undefined;
			readonly href: string | undefined;
	  }
	| ({ readonly kind: 'label' } & LabelView)
	| { readonly kind: 'status'; readonly text: string }
	| { readonly kind: 'ticket'; readonly text: string; readonly title: string; readonly href: string };

/** A sentence, ready to be shown part by part. */
export type Sentence = readonly Part[];

/** A label and its colours (`#rrggbb`), already readable on each other; no colours while they are not known. */
export interface LabelView {
	readonly name: string;
	readonly colors: { readonly background: string; readonly text: string } | undefined;
}

/** Pictures that the page knows. */
export type PageIcon =
	| 'reported'
	| 'confirmed'
	| 'inProgress'
	| 'pending'
	| 'resolved'
	| 'unknown'
	| 'comment'
	| 'label'
	| 'person'
	| 'mention'
	| 'reference';

/** One entry of the timeline, of whatever kinds. */
export interface EntryView {
	/** Unique on the page, and stable over redraws. */
	readonly key: string;
	readonly atMs: number;
	/** What happened beside the comment, one sentence each; may be empty. */
	readonly lines: readonly { readonly icon: PageIcon; readonly sentence: Sentence }[];
	readonly comment: { readonly author: Sentence; readonly html: string } | undefined;
	/** The entry on the web. */
	readonly href: string;
}

/** The part of the page that may still be on its way or have failed; `reason` is a sentence. */
export type TimelineView =
	| { readonly kind: 'loading' }
	| { readonly kind: 'failed'; readonly reason: string }
	/** `counts` says how much of the whole is shown, and is empty when all of it is. */
	| {
			readonly kind: 'ready';
			readonly entries: readonly EntryView[];
			readonly hasOlder: boolean;
			readonly counts: string;
	  };

/** Whether something can be done now; if not, why, as a sentence. A warning says that it may well fail. */
export type Possibility =
	| { readonly kind: 'possible'; readonly warning?: string }
	| { readonly kind: 'impossible'; readonly reason: string };

/** All that the page shows of a ticket. Made by the host from what the forge answered, never from what was sent. */
export interface TicketPageState {
	/** `~alice/alpha#7` */
	readonly reference: string;
	readonly title: string;
	readonly status: { readonly icon: PageIcon; readonly text: string };
	readonly isResolved: boolean;
	readonly labels: readonly LabelView[];
	readonly submitted: Sentence;
	readonly submittedAtMs: number;
	/** `undefined` when nobody is assigned. */
	readonly assigned: Sentence | undefined;
	/** Safe HTML made by the host; empty when there is no description. */
	readonly descriptionHtml: string;
	readonly timeline: TimelineView;
	readonly canComment: Possibility;
	readonly canTriage: Possibility;
}

/** A resolution that may be chosen: the word to send, and how it is called. */
export interface ResolutionChoice {
	readonly word: string;
	readonly text: string;
	/** On the button that resolves with it, without and with a comment. */
	readonly resolve: string;
	readonly commentAndResolve: string;
}

/** Every text of the page that does not depend on the ticket, in the language of the editor. */
export interface TicketPageStrings {
	readonly copyReference: string;
	readonly copied: string;
	readonly openOnWeb: string;
	readonly labels: string;
	readonly description: string;
	readonly noDescription: string;
	readonly timeline: string;
	readonly newestFirst: string;
	readonly oldestFirst: string;
	readonly order: string;
	readonly showOlder: string;
	readonly loading: string;
	readonly noEvents: string;
	readonly tryAgain: string;
	readonly yourComment: string;
	readonly commentPlaceholder: string;
	readonly write: string;
	readonly preview: string;
	readonly nothingToPreview: string;
	readonly comment: string;
	readonly reopen: string;
	readonly commentAndReopen: string;
	readonly chooseResolution: string;
	readonly commentEmpty: string;
	readonly commentTooShort: string;
	readonly commentTooLong: string;
	readonly sending: string;
	readonly sent: string;
	readonly draftSaved: string;
	readonly sendKeys: string;
	readonly hiddenCharacter: string;
	readonly failedToLoad: string;
}

/** A comment that was typed and not sent, and when. */
export interface DraftView {
	readonly text: string;
	readonly atMs: number;
}

/** What the page starts with. */
export interface TicketPageStart {
	/** BCP 47 tag of the editor's language. */
	readonly locale: string;
	readonly strings: TicketPageStrings;
	readonly resolutions: readonly ResolutionChoice[];
	/** Missing when the ticket could not be read; `failure` then says why, as a sentence. */
	readonly state: TicketPageState | undefined;
	readonly failure: string | undefined;
	/** What the host kept; the page may know a later one. */
	readonly draft: DraftView | undefined;
	/** True when the page was opened to write a comment. */
	readonly focusComposer: boolean;
}

/** The move that goes along with a comment or stands alone. */
export type StatusMove = { readonly kind: 'resolve'; readonly resolution: string } | { readonly kind: 'reopen' };

/** What the page wants sent, in one request; the comment may be empty when there is a move. */
export interface TicketPageSend {
	readonly comment: string;
	readonly move: StatusMove | undefined;
}

/** Words between the ticket page and the host. */
export interface TicketProtocol extends Protocol {
	readonly requests: {
		readonly load: { readonly in: undefined; readonly out: TicketPageStart };
		/** Reads the ticket or its timeline again after a failure. */
		readonly again: { readonly in: undefined; readonly out: TicketPageState };
		readonly older: { readonly in: undefined; readonly out: TicketPageState };
		readonly send: { readonly in: TicketPageSend; readonly out: TicketPageState };
		/** Kept by the host until it is sent; an empty one is forgotten. */
		readonly keepDraft: { readonly in: DraftView; readonly out: undefined };
		/** Markdown as it will look, as safe HTML. */
		readonly preview: { readonly in: string; readonly out: string };
		/** Opens a link that was clicked; the host decides whether and how. */
		readonly follow: { readonly in: string; readonly out: undefined };
		readonly copyReference: { readonly in: undefined; readonly out: undefined };
		readonly openOnWeb: { readonly in: undefined; readonly out: undefined };
	};
	readonly news: {
		readonly changed: TicketPageState;
		/** What made loading fail may be over: the page starts anew. */
		readonly reload: undefined;
		/** Somebody wants to write a comment. */
		readonly focusComposer: undefined;
	};
}

/** The longest text that a page may hand over: a comment at the forge's limit with room to be told that it is too long. */
const textLimit = 100_000;

/** Requests that carry nothing. */
export const nothing: v.GenericSchema<unknown, undefined> = v.pipe(
	v.nullish(v.null()),
	v.transform(() => undefined),
);

/** A text that somebody typed. */
export const typedText: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(textLimit));

/** What the page asks to be kept. */
export const draftView: v.GenericSchema<unknown, DraftView> = v.strictObject({
	text: typedText,
	atMs: v.pipe(v.number(), v.finite()),
});

/** An address that was clicked; what it may be is decided by the link policy. */
export const clickedHref: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(4096));

/** What `send` may carry. */
export const ticketPageSend: v.GenericSchema<unknown, TicketPageSend> = v.pipe(
	v.strictObject({
		comment: typedText,
		move: v.optional(
			v.variant('kind', [
				v.strictObject({ kind: v.literal('resolve'), resolution: v.pipe(v.string(), v.maxLength(64)) }),
				v.strictObject({ kind: v.literal('reopen') }),
			]),
		),
	}),
	v.transform(({ comment, move }) => ({ comment, move })),
);
