import type { FileStatView, MailBlock, MailContentView, MailPersonView, PullView } from './mailView.ts';

/*
 * What the patchset page shows, made by the host. All of it is visible text: hidden characters are written out, and
 * nothing is HTML but what tools say, which is Markdown.
 */

/** Pictures of statuses. */
export type StatusIcon =
	| 'proposed'
	| 'needsRevision'
	| 'approved'
	| 'applied'
	| 'rejected'
	| 'superseded'
	| 'unknownStatus';

/** A status that can be chosen. */
export interface StatusChoice {
	/** As the forge spells it, to be sent back. */
	readonly word: string;
	readonly text: string;
	readonly icon: StatusIcon;
}

/** Pictures of how far tools are. */
export type ToolIcon = 'pending' | 'waiting' | 'success' | 'failed' | 'cancelled' | 'unknownState';

/** What a tool, such as one that builds and tests, says of the patchset. */
export interface ToolView {
	readonly icon: ToolIcon;
	/** How far it is, in words. */
	readonly text: string;
	/** Safe HTML; `undefined` while it is being made. */
	readonly html: string | undefined;
	readonly updatedAtMs: number;
}

/** What the forge says of the patchset itself. */
export interface PatchsetHeadView {
	/** `~alice/devel/patches/12` */
	readonly reference: string;
	readonly list: string;
	readonly title: string;
	readonly version: string;
	/** What stands before the version in the brackets of the subject; empty for none. */
	readonly prefix: string;
	readonly status: StatusChoice;
	readonly statuses: readonly StatusChoice[];
	/** Who may set the status, as a sentence. */
	readonly whoMay: string;
	/** False where the forge tells that the account may not. */
	readonly canSetStatus: boolean;
	readonly submitter: MailPersonView | undefined;
	/** States that a formed patchset came as a reply; empty for others. */
	readonly place: string;
	/** Whether it applies, as it was tried last; empty where it was not, or not on what is there now. */
	readonly applies: string;
	/** Whether git can be run in this window. */
	readonly canApply: boolean;
	readonly tools: readonly ToolView[];
	readonly sentAtMs: number;
	readonly updatedAtMs: number;
}

/** One version of the series, lowest first. */
export interface VersionView {
	/** The patchset's number. */
	readonly id: number;
	readonly version: string;
	readonly title: string;
	readonly status: string;
	readonly isThis: boolean;
	/** It is the last one before this one that the reader replied to. */
	readonly isReviewed: boolean;
	/** How it came to be taken for a version of this one; empty for this one. */
	readonly link: string;
}

/** A status that the facts speak for. */
export interface SuggestionView {
	readonly word: string;
	readonly title: string;
	readonly evidence: string;
	/** Empty for none. */
	readonly quote: string;
	/** On the button that does it. */
	readonly action: string;
	/** Where the evidence stands: a mail, or the patchset that supersedes this one. */
	readonly mailId: number | undefined;
	readonly patchsetId: number | undefined;
}

/** Something that is wrong with the series. */
export interface HealthView {
	readonly problem: string;
	/** What to do about it, as a sentence. */
	readonly advice: string;
	readonly mailId: number | undefined;
}

/** A trailer, who gave it, and for which patches. */
export interface TrailerView {
	readonly key: string;
	readonly person: MailPersonView;
	readonly patches: string;
	/** Whether it stands in the patch, and whether somebody else gave it. */
	readonly standing: string;
	readonly isForOther: boolean;
	readonly mailId: number;
}

/** A ticket that a mail of the patchset names. */
export interface NamedTicketView {
	readonly text: string;
	/** Missing where it is not said whose ticket it is. */
	readonly href: string | undefined;
	/** The ticket's title, where it is known. */
	readonly title: string;
	/** `Fixes`; empty where it is only mentioned. */
	readonly trailer: string;
}

/** What the mails of the patchset say together. */
export interface StandingView {
	readonly versions: readonly VersionView[];
	readonly suggestions: readonly SuggestionView[];
	readonly health: readonly HealthView[];
	readonly pull: PullView | undefined;
	/** The cover letter, or `undefined` where there is none. */
	readonly cover: { readonly mailId: number; readonly content: MailContentView } | undefined;
	/** Who changes how much, in a sentence. */
	readonly summary: string;
	readonly added: number;
	readonly removed: number;
	readonly files: number;
	/** How many files of the series are viewed, in words; empty for none. */
	readonly viewed: string;
	readonly trailers: readonly TrailerView[];
	readonly tickets: readonly NamedTicketView[];
	/** What should be looked at twice about whoever sent it, as sentences. */
	readonly cautions: readonly string[];
	/** What is missing because it could not be read, as sentences. */
	readonly failures: readonly string[];
}

/** A file of a patch. */
export interface PatchFileView extends FileStatView {
	/** A change of its mode, in words; empty for none. */
	readonly mode: string;
}

/** A patch of the series. */
export interface PatchView {
	readonly mailId: number;
	/** `2/4`; empty for one that stands alone. */
	readonly number: string;
	readonly title: string;
	readonly author: MailPersonView | undefined;
	readonly added: number;
	readonly removed: number;
	readonly files: readonly PatchFileView[];
	/** Files that are not listed, because there are too many. */
	readonly moreFiles: number;
	/** The commit's message below its subject. */
	readonly message: readonly MailBlock[];
	/** What stands below `---`. */
	readonly commentary: readonly MailBlock[];
	/** What git would apply, where that is not what the files show; empty where it is, or where git finds nothing. */
	readonly applied: readonly MailBlock[];
	/** Answers to this patch, in words; empty for none. */
	readonly replies: string;
	/** How many of its files are viewed: all of them, and in words where it is a part. */
	readonly viewed: { readonly isAll: boolean; readonly text: string };
	readonly cautions: readonly string[];
}

/** Patches that are new or have changed, by their place. Those from `count` on are gone. */
export interface PatchesChange {
	readonly count: number;
	readonly put: readonly { readonly at: number; readonly patch: PatchView }[];
}

/** A part of the page that is read, and so may fail, by itself. */
export interface PagePart<T> {
	/** What is known; it may be older than a failure. */
	readonly value: T | undefined;
	/** Why it could not be read, as a sentence; empty where another part says it. */
	readonly failure: string | undefined;
}

/** What is different from what the page was told before. */
export interface PatchsetChange {
	readonly head?: PagePart<PatchsetHeadView>;
	readonly standing?: PagePart<StandingView>;
	readonly patches?: PatchesChange;
	/** What of the reader's review is written and not sent, in a sentence; empty for nothing. */
	readonly review?: string;
}
