import type { FileStatView, MailBlock, MailContentView, MailPersonView, PullView } from './mailView.ts';

/*
 * View data of the patchset page, made by the host. Texts contain no hidden characters. Only messages of tools are HTML, from
 * Markdown.
 */

/** Status icons. */
export type StatusIcon =
	| 'proposed'
	| 'needsRevision'
	| 'approved'
	| 'applied'
	| 'rejected'
	| 'superseded'
	| 'unknownStatus';

/** A status that the user can choose. */
export interface StatusChoice {
	/** The forge's spelling, for the request. */
	readonly word: string;
	readonly text: string;
	readonly icon: StatusIcon;
}

/** Icons of tool states. */
export type ToolIcon = 'pending' | 'waiting' | 'success' | 'failed' | 'cancelled' | 'unknownState';

/** Message of a tool about the patchset, such as a build. */
export interface ToolView {
	readonly icon: ToolIcon;
	/** State in words. */
	readonly text: string;
	/** Safe HTML; `undefined` while rendering. */
	readonly html: string | undefined;
	readonly updatedAtMs: number;
}

/** The forge's own data of the patchset. */
export interface PatchsetHeadView {
	/** `~alice/devel/patches/12` */
	readonly reference: string;
	readonly list: string;
	readonly title: string;
	readonly version: string;
	/** Subject prefix before the version; may be empty. */
	readonly prefix: string;
	readonly status: StatusChoice;
	readonly statuses: readonly StatusChoice[];
	/** Sentence about the right to set the status. */
	readonly whoMay: string;
	/** False if the forge denies it to the account. */
	readonly canSetStatus: boolean;
	readonly submitter: MailPersonView | undefined;
	/** Note that a formed patchset came as a reply; empty for others. */
	readonly place: string;
	/** Sentence about the last check; empty without a fresh one. */
	readonly applies: string;
	/** True if git can run in this window. */
	readonly canApply: boolean;
	readonly tools: readonly ToolView[];
	readonly sentAtMs: number;
	readonly updatedAtMs: number;
}

/** A version of the series; the lowest comes first. */
export interface VersionView {
	/** Patchset id. */
	readonly id: number;
	readonly version: string;
	readonly title: string;
	readonly status: string;
	readonly isThis: boolean;
	/** True for the last earlier version that the reader reviewed. */
	readonly isReviewed: boolean;
	/** Reason for the link; empty for this version. */
	readonly link: string;
}

/** A suggested status. */
export interface SuggestionView {
	readonly word: string;
	readonly title: string;
	readonly evidence: string;
	/** May be empty. */
	readonly quote: string;
	/** Button text. */
	readonly action: string;
	/** Source of the evidence: a mail, or the superseding patchset. */
	readonly mailId: number | undefined;
	readonly patchsetId: number | undefined;
}

/** A problem of the series. */
export interface HealthView {
	readonly problem: string;
	/** Next step, as a sentence. */
	readonly advice: string;
	readonly mailId: number | undefined;
}

/** A trailer with its person and its patches. */
export interface TrailerView {
	readonly key: string;
	readonly person: MailPersonView;
	readonly patches: string;
	/** Source of the trailer: the patch or a reply, and whether by someone else. */
	readonly standing: string;
	readonly isForOther: boolean;
	readonly mailId: number;
}

/** A ticket that a mail of the patchset names. */
export interface NamedTicketView {
	readonly text: string;
	/** `undefined` if the tracker is unknown. */
	readonly href: string | undefined;
	/** The ticket's title, if known; else empty. */
	readonly title: string;
	/** `Fixes`; empty for a plain mention. */
	readonly trailer: string;
}

/** Data from all mails of the patchset. */
export interface StandingView {
	readonly versions: readonly VersionView[];
	readonly suggestions: readonly SuggestionView[];
	readonly health: readonly HealthView[];
	readonly pull: PullView | undefined;
	/** `undefined` without a cover letter. */
	readonly cover: { readonly mailId: number; readonly content: MailContentView } | undefined;
	/** Author and size, as a sentence. */
	readonly summary: string;
	readonly added: number;
	readonly removed: number;
	readonly files: number;
	/** Number of viewed files in words; may be empty. */
	readonly viewed: string;
	readonly trailers: readonly TrailerView[];
	readonly tickets: readonly NamedTicketView[];
	/** Warnings about the sender, as sentences. */
	readonly cautions: readonly string[];
	/** Failed reads, as sentences. */
	readonly failures: readonly string[];
}

export interface PatchFileView extends FileStatView {
	/** Kind of change as one letter, and in words. */
	readonly letter: string;
	readonly word: string;
	/** Mode change in words; may be empty. */
	readonly mode: string;
}

export interface PatchView {
	readonly mailId: number;
	/** `2/4`; empty for a single patch. */
	readonly number: string;
	readonly title: string;
	readonly author: MailPersonView | undefined;
	readonly added: number;
	readonly removed: number;
	readonly files: readonly PatchFileView[];
	/** Number of files left out of a long list. */
	readonly moreFiles: number;
	/** The commit message below its subject. */
	readonly message: readonly MailBlock[];
	/** Text below `---`. */
	readonly commentary: readonly MailBlock[];
	/** The message and the diff that git would apply, if they differ from the shown ones; else empty. */
	readonly applied: readonly MailBlock[];
	/** Number of replies in words; may be empty. */
	readonly replies: string;
	/** Viewed files: all of them, or a part in words. */
	readonly viewed: { readonly isAll: boolean; readonly text: string };
	readonly cautions: readonly string[];
}

/** New or changed patches by index. Patches from `count` on no longer exist. */
export interface PatchesChange {
	readonly count: number;
	readonly put: readonly { readonly at: number; readonly patch: PatchView }[];
}

/** A part of the page with a read, and so a failure, of its own. */
export interface PagePart<T> {
	/** Cached value; may be older than the failure. */
	readonly value: T | undefined;
	/** Error sentence; empty if another part shows it. */
	readonly failure: string | undefined;
}

/** Changes since the last message. */
export interface PatchsetChange {
	readonly head?: PagePart<PatchsetHeadView> | undefined;
	readonly standing?: PagePart<StandingView> | undefined;
	readonly patches?: PatchesChange;
	/** Unsent drafts of the reader's review, as a sentence; empty without drafts. */
	readonly review?: string | undefined;
}
