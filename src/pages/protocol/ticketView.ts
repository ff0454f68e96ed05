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

/** A ticket without its timeline. The host builds it from the forge's responses, never from sent data. */
export interface HeadView {
	/** `~alice/alpha#7` */
	readonly reference: string;
	readonly title: string;
	readonly status: { readonly icon: PageIcon; readonly text: string };
	readonly labels: readonly LabelView[];
	readonly submitted: Sentence;
	readonly submittedAtMs: number;
	/** `undefined` without assignees. */
	readonly assigned: Sentence | undefined;
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
