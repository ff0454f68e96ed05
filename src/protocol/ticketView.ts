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

/** A label that may be put on the ticket, or somebody whom it may be assigned to; `isOn` when that is so already. */
export interface NameChoice {
	/** As the forge writes it, to be sent back. */
	readonly name: string;
	readonly look: LabelView;
	readonly isOn: boolean;
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

/** What somebody said in an entry. */
export interface CommentView {
	readonly author: Sentence;
	/** Safe HTML made by the host. */
	readonly html: string;
	/** Where the account can change it: here, or only on the web at `href`; `undefined` when it is not its own. */
	readonly edit: { readonly kind: 'here' } | { readonly kind: 'web'; readonly href: string } | undefined;
	/** True when somebody began to change it and has not sent that. */
	readonly hasDraft: boolean;
}

/** One entry of the timeline, of whatever kinds. */
export interface EntryView {
	/** Unique in the timeline, and larger for what came later. */
	readonly id: number;
	readonly atMs: number;
	/** What happened beside the comment, one sentence each; may be empty. */
	readonly lines: readonly { readonly icon: PageIcon; readonly sentence: Sentence }[];
	readonly comment: CommentView | undefined;
	/** The entry on the web. */
	readonly href: string;
}

/** Whether something can be done now; if not, why, as a sentence. A warning says that it may well fail. */
export type Possibility =
	| { readonly kind: 'possible'; readonly warning?: string }
	| { readonly kind: 'impossible'; readonly reason: string };

/** A move of the status that is offered. */
export interface MoveChoice {
	/** Names the move when it is sent; unique and stable. */
	readonly key: string;
	/** In the menu of moves. */
	readonly text: string;
	/** On the button that makes it, without and with a comment. */
	readonly move: string;
	readonly commentAndMove: string;
}

/** Who may do what, in words. */
export interface PermissionView {
	readonly who: string;
	readonly may: string;
	/** True when the ticket says nothing of its own. */
	readonly isInherited: boolean;
}

/** A patchset or a mail that names the ticket. */
export interface NamedInView {
	/** Names it when it is opened. */
	readonly key: string;
	readonly kind: 'patchset' | 'mail';
	readonly title: string;
	/** `~alice/devel` */
	readonly list: string;
	/** `v2`; empty for what is no patch. */
	readonly version: string;
	/** `Fixes` and the like, where a trailer names the ticket. */
	readonly trailer: string | undefined;
}

/** All of a ticket but its timeline. Made by the host from what the forge answered, never from what was sent. */
export interface HeadView {
	/** `~alice/alpha#7` */
	readonly reference: string;
	readonly title: string;
	readonly status: { readonly icon: PageIcon; readonly text: string };
	readonly labels: readonly LabelView[];
	readonly submitted: Sentence;
	readonly submittedAtMs: number;
	/** `undefined` when nobody is assigned. */
	readonly assigned: Sentence | undefined;
	/** Safe HTML made by the host; empty when there is no description. */
	readonly descriptionHtml: string;
	/** Moves that the status allows now, the likeliest first. */
	readonly moves: readonly MoveChoice[];
	readonly canComment: Possibility;
	readonly canTriage: Possibility;
	/** `undefined` where only the web can do it. */
	readonly canAssign: Possibility | undefined;
	/** Title and description; `undefined` where only the web can change them. */
	readonly canEdit: Possibility | undefined;
	/** `undefined` where only the web can do it. */
	readonly canDelete: Possibility | undefined;
	/** True where the account can make and change the tracker's labels here. */
	readonly managesLabels: boolean;
	/** Whether the forge tells the account of the ticket by mail; `undefined` where that is not known here. */
	readonly isSubscribed: boolean | undefined;
	/** Empty where the forge tells nothing of permissions. */
	readonly permissions: readonly PermissionView[];
	/** As far as mails were read, newest first. */
	readonly namedIn: readonly NamedInView[];
	/** Of when the page is, as a sentence, where it is shown as another window read it; else empty. */
	readonly readBefore: string;
}

/** What changed in the timeline. It may still be on its way or have failed; `reason` is a sentence. */
export type TimelineChange =
	| { readonly kind: 'loading' }
	| { readonly kind: 'failed'; readonly reason: string }
	| {
			readonly kind: 'entries';
			/** True when what the page had before is void. */
			readonly isWhole: boolean;
			/** New entries, and others as they are now. */
			readonly put: readonly EntryView[];
			readonly gone: readonly number[];
			readonly hasOlder: boolean;
			/** How much of the whole is shown; empty when all of it is. */
			readonly counts: string;
			/** Oldest entry that is new to the account; everything later is new as well. */
			readonly newFrom: number | undefined;
			/** True when more of the same change follows at once. */
			readonly goesOn: boolean;
	  };

/** What is different from what the page was told before. */
export interface PageChange {
	readonly head: HeadView | undefined;
	readonly timeline: TimelineChange | undefined;
}
