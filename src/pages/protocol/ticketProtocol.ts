import * as v from 'valibot';
import { ticketLimits } from 'sourcehut/port/ticketLimits.ts';
import { wholeNumber, type EntryStart, type L10n, type Protocol } from './pageProtocol.ts';

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
	readonly kind: 'done' | 'arrived' | 'missing' | 'unclear' | 'queued';
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
		/** `out`: the comment with a reference to the original of a duplicate; `undefined` if the user closed the question. */
		readonly original: { readonly in: string; readonly out: string | undefined };
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
		/** Acts on a change in the outbox. */
		readonly actOnQueued: { readonly in: QueuedAct; readonly out: undefined };
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

/** `id`: of the queued change. */
export const queuedAct = v.strictObject({
	id: v.pipe(v.string(), v.maxLength(256)),
	act: v.picklist(['edit', 'withdraw', 'sendAnyway']),
});
export type QueuedAct = Readonly<v.InferOutput<typeof queuedAct>>;

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

/** A part of a sentence. Plain text, never HTML. */
export type Part =
	| { readonly kind: 'text'; readonly text: string }
	/**
	 * `detail`: the full name for the tooltip. `mark`: role of a person without account, shown after the name. `href`:
	 * their page, if any.
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

/** A sentence as a list of parts. */
export type Sentence = readonly Part[];

/** A label with readable colors (`#rrggbb`); no colors while unknown. */
export interface LabelView {
	readonly name: string;
	readonly colors: { readonly background: string; readonly text: string } | undefined;
}

/** A choice of a label or assignee; `isOn`: already set. */
export interface NameChoice {
	/** The forge's spelling, for requests. */
	readonly name: string;
	readonly look: LabelView;
	readonly isOn: boolean;
}

/** Icons of the page. */
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

/** A comment of an entry. */
export interface CommentView {
	readonly author: Sentence;
	/** Safe HTML from the host. */
	readonly html: string;
	/** Where the account can edit it: on this page, or on the web at `href`; `undefined` for others' comments. */
	readonly edit: { readonly kind: 'here' } | { readonly kind: 'web'; readonly href: string } | undefined;
	/** True for an unsent edit. */
	readonly hasDraft: boolean;
}

/** A timeline entry. */
export interface EntryView {
	/** Unique in the timeline; later entries have larger ids. */
	readonly id: number;
	readonly atMs: number;
	/** Events besides the comment, one sentence each; may be empty. */
	readonly lines: readonly { readonly icon: PageIcon; readonly sentence: Sentence }[];
	readonly comment: CommentView | undefined;
	/** The entry on the web. */
	readonly href: string;
}

/** Whether an action is possible; `reason` as a sentence. `warning`: the forge may still refuse. */
export type Possibility =
	| { readonly kind: 'possible'; readonly warning?: string }
	| { readonly kind: 'impossible'; readonly reason: string };

/** A status change on offer. */
export interface MoveChoice {
	/** Unique and stable id for requests. */
	readonly key: string;
	/** Text in the menu. */
	readonly text: string;
	/** Text on the button, without and with a comment. */
	readonly move: string;
	readonly commentAndMove: string;
	/** Needs the original of a duplicate in its comment. */
	readonly asksOriginal: boolean;
}

/** Permissions, as text. */
export interface PermissionView {
	readonly who: string;
	readonly may: string;
	/** True when inherited from the tracker. */
	readonly isInherited: boolean;
}

/** A patchset or mail that mentions the ticket. */
export interface NamedInView {
	/** Key for `openNamedIn`. */
	readonly key: string;
	readonly kind: 'patchset' | 'mail';
	readonly title: string;
	/** `~alice/devel` */
	readonly list: string;
	/** `v2`; empty for mails without a patch. */
	readonly version: string;
	/** The trailer with the mention, such as `Fixes`. */
	readonly trailer: string | undefined;
}

/** A change that waits in the outbox. */
export interface QueuedView {
	readonly id: string;
	/** "Comment: Works for me · Resolve: fixed" */
	readonly title: string;
	/** Why it waits. */
	readonly state: string;
	/** It waits for the user. */
	readonly isStopped: boolean;
	/** Markdown of its comment, as plain text; empty without one. */
	readonly text: string;
	readonly queuedMs: number;
}

/** A ticket without its timeline. The host builds it from the forge's responses, never from sent data. */
export interface HeadView {
	/** `~alice/alpha#7` */
	readonly reference: string;
	readonly title: string;
	readonly status: { readonly icon: PageIcon; readonly text: string };
	readonly labels: readonly LabelView[];
	readonly submitted: Sentence;
	readonly submittedAtMs: number;
	/** People. */
	readonly assignees: readonly Part[];
	/** Safe HTML from the host; empty without a description. */
	readonly descriptionHtml: string;
	/** Allowed status changes, most likely first. */
	readonly moves: readonly MoveChoice[];
	readonly canComment: Possibility;
	readonly canTriage: Possibility;
	/** `undefined` when only the website can do it. */
	readonly canAssign: Possibility | undefined;
	/** Title and description; `undefined` when only the website can edit them. */
	readonly canEdit: Possibility | undefined;
	/** `undefined` when only the website can do it. */
	readonly canDelete: Possibility | undefined;
	/** True when the account can edit the tracker's labels here. */
	readonly managesLabels: boolean;
	/** Mail subscription; `undefined` when unknown. */
	readonly isSubscribed: boolean | undefined;
	/** Empty when the forge doesn't report permissions. */
	readonly permissions: readonly PermissionView[];
	/** Changes in the outbox, in sending order. */
	readonly queued: readonly QueuedView[];
	/** From loaded mails, newest first. */
	readonly namedIn: readonly NamedInView[];
	/** Sentence about the age of cached data; empty for fresh data. */
	readonly readBefore: string;
}

/** Changes of the timeline, or its loading state; `reason` is a sentence. */
export type TimelineChange =
	| { readonly kind: 'loading' }
	| { readonly kind: 'failed'; readonly reason: string }
	| {
			readonly kind: 'entries';
			/** True to replace all entries of the page. */
			readonly isWhole: boolean;
			/** New and changed entries. */
			readonly put: readonly EntryView[];
			readonly gone: readonly number[];
			readonly hasOlder: boolean;
			/** Shown part of the total; empty if complete. */
			readonly counts: string;
			/** Oldest new entry; all later ones are new too. */
			readonly newFrom: number | undefined;
			/** True when the next message continues this change. */
			readonly goesOn: boolean;
	  };

/** Changes since the last message. */
export interface PageChange {
	readonly head: HeadView | undefined;
	readonly timeline: TimelineChange | undefined;
}

/** Fixed texts of the page. */
export function ticketStrings(l10n: L10n) {
	const { shortestComment, longestComment } = ticketLimits;
	return {
		copyReference: l10n.t('Copy Reference'),
		copied: l10n.t('Copied'),
		openOnWeb: l10n.t('Open on the Web'),
		editOnWeb: l10n.t('Edit Title and Description on the Web'),
		assignOnWeb: l10n.t('Assign on the Web'),
		labelsOnWeb: l10n.t('Manage Labels on the Web'),
		deleteOnWeb: l10n.t('Delete on the Web'),
		deleteTicket: l10n.t('Delete Ticket…'),
		manageLabels: l10n.t('Manage Labels…'),
		subscribe: l10n.t('Subscribe'),
		unsubscribe: l10n.t('Unsubscribe'),
		more: l10n.t('More Actions'),
		labels: l10n.t('Labels'),
		noLabelsYet: l10n.t('No label'),
		editLabels: l10n.t('Edit Labels'),
		findLabel: l10n.t('Find a label'),
		noLabels: l10n.t('No matching labels.'),
		assignees: l10n.t('Assignees'),
		noAssignees: l10n.t('No assignee'),
		assign: l10n.t('Assign'),
		people: l10n.t('People'),
		findPerson: l10n.t('Find or enter a name'),
		noPeople: l10n.t('No matching people.'),
		save: l10n.t('Save'),
		cancel: l10n.t('Cancel'),
		permissions: l10n.t('Permissions'),
		inherited: l10n.t('inherited from the tracker'),
		namedIn: l10n.t('Mentioned in'),
		lookForNamings: l10n.t('Find Mentions on Mailing Lists'),
		looking: l10n.t('Searching…'),
		noNamings: l10n.t('No message on known lists mentions this ticket.'),
		description: l10n.t('Description'),
		noDescription: l10n.t('No description provided.'),
		timeline: l10n.t('Timeline'),
		newestFirst: l10n.t('Newest first'),
		oldestFirst: l10n.t('Oldest first'),
		order: l10n.t('Order'),
		showOlder: l10n.t('Show Older Entries'),
		loading: l10n.t('Loading…'),
		noEvents: l10n.t('No activity yet.'),
		fresh: l10n.t('new'),
		oneFresh: l10n.t('1 new entry'),
		severalFresh: l10n.t('{0} new entries'),
		tryAgain: l10n.t('Try Again'),
		quote: l10n.t('Quote'),
		editText: l10n.t('Edit Title and Description'),
		title: l10n.t('Title'),
		edit: l10n.t('Edit'),
		editComment: l10n.t('Edit your comment'),
		editOnTheWeb: l10n.t('Edit on the Web'),
		yourComment: l10n.t('Your comment'),
		commentPlaceholder: l10n.t('Write a comment in Markdown'),
		write: l10n.t('Write'),
		preview: l10n.t('Preview'),
		nothingToPreview: l10n.t('There is nothing to preview.'),
		comment: l10n.t('Comment'),
		outbox: l10n.t('Outbox'),
		editAsDraft: l10n.t('Edit as Draft'),
		withdraw: l10n.t('Withdraw…'),
		sendAnyway: l10n.t('Send Anyway'),
		chooseMove: l10n.t('Choose a resolution or a status'),
		commentEmpty: l10n.t('Write something first.'),
		commentTooShort: l10n.t('A comment needs at least {0} characters.', shortestComment),
		commentTooLong: l10n.t('A comment can have at most {0} characters.', longestComment),
		sending: l10n.t('Sending…'),
		sent: l10n.t('Comment posted.'),
		moved: l10n.t('Status changed.'),
		sendAgain: l10n.t('Send Again'),
		lookAgain: l10n.t('Check Again'),
		draftSaved: l10n.t('Draft saved'),
		sendKeys: l10n.t('Ctrl+Enter sends'),
		suggestions: l10n.t('Suggestions'),
	};
}

export type TicketPageStrings = ReturnType<typeof ticketStrings>;
