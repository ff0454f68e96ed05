import * as v from 'valibot';
import {
	mailsStrings,
	type MailPart,
	type MailsRequests,
	type ReplyView,
	type ThreadMailsChange,
} from './mailsProtocol.ts';
import {
	itemId,
	wholeNumber,
	type FileStatView,
	type L10n,
	type MailBlock,
	type MailContentView,
	type MailPersonView,
	type PieceStart,
	type Protocol,
	type PullView,
} from './pageProtocol.ts';

/** Cached data at opening. The page may appear much later. */
export type PatchsetPageStart = PieceStart<PatchsetPageStrings, PatchsetChange>;

/** Page buttons without arguments. */
export const patchsetActions = [
	'openThread',
	'openDiffs',
	'save',
	'copyCommand',
	'checkApplies',
	'apply',
	'finishApplied',
	'addTrailer',
	'nextUnviewed',
	'copyLink',
	'copyMessageId',
	'copyReference',
	'openOnWeb',
	'linkVersion',
	'previewReview',
	'sendReview',
	'discardReview',
	'lookUpKeys',
	'moveDrafts',
	'moveDraftsBack',
] as const;
export type PatchsetAction = (typeof patchsetActions)[number];

export const patchsetParts = ['head', 'standing'] as const;
export type PatchsetPart = (typeof patchsetParts)[number];

/** Messages between the patchset page and the host. */
export interface PatchsetProtocol extends Protocol {
	readonly requests: MailsRequests & {
		/** Sent by a new page. The response replaces everything it knew. */
		readonly load: { readonly in: undefined; readonly out: PatchsetChange };
		/** Retries a failed part. */
		readonly again: { readonly in: PatchsetPart; readonly out: undefined };
		readonly run: { readonly in: PatchsetAction; readonly out: undefined };
		/** Sets the status to a word that the host offered. */
		readonly setStatus: { readonly in: string; readonly out: undefined };
		/** Marks a file as viewed, or all files of a patch. Unmarks what is viewed already. */
		readonly toggleViewed: { readonly in: MailPart; readonly out: undefined };
		/** Stores the comment on the series. Answers with a sentence if it was not stored. */
		readonly keepComment: { readonly in: string; readonly out: string | undefined };
		/** Opens a comment of a reply on its line. */
		readonly openComment: { readonly in: v.InferOutput<typeof chosenComment>; readonly out: undefined };
		/** Opens the place of the reader's comment in this version. */
		readonly openOutcome: { readonly in: v.InferOutput<typeof chosenComment>; readonly out: undefined };
		/** Opens the place of a draft by its id. */
		readonly openDraft: { readonly in: string; readonly out: undefined };
		/** Opens the thread at a mail. */
		readonly openMail: { readonly in: number; readonly out: undefined };
		/** Opens another patchset of the same list. */
		readonly openPatchset: { readonly in: number; readonly out: undefined };
		/** This and the next two take the id of the other version. */
		readonly compareVersion: { readonly in: number; readonly out: undefined };
		readonly openVersionChanges: { readonly in: number; readonly out: undefined };
		readonly unlinkVersion: { readonly in: number; readonly out: undefined };
		/** A click on a link. The host applies the link policy. */
		readonly follow: { readonly in: string; readonly out: undefined };
	};
	readonly news: {
		/** Embedded in the page itself. */
		readonly start: PatchsetPageStart;
		readonly changed: PatchsetChange;
		/** Opens a box: for the comment on the series, or for a reply to the message in front. */
		readonly write: 'comment' | 'reply';
	};
}

/** A comment by its mail and its place there. */
export const chosenComment = v.strictObject({ mail: itemId, comment: wholeNumber });

export const draftId: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(1_000));

/** A comment on the series; far beyond any mail that a list takes. */
export const seriesComment: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(1_000_000));

export const patchsetAction: v.GenericSchema<unknown, PatchsetAction> = v.picklist(patchsetActions);
export const patchsetPart: v.GenericSchema<unknown, PatchsetPart> = v.picklist(patchsetParts);

/** A status as the forge spells it. */
export const statusWord: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.minLength(1), v.maxLength(64));

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

/** Trailers of one person. */
export interface TrailersView {
	readonly person: MailPersonView;
	readonly given: readonly TrailerView[];
}

/** A trailer with its patches. */
export interface TrailerView {
	readonly key: string;
	/** `patches 1–3, 5` */
	readonly patches: string;
	/** Source of the trailer: the patch or a reply, and whether by someone else. */
	readonly standing: string;
	readonly isForOther: boolean;
	readonly mailId: number;
	/** Empty before earlier versions were read. */
	readonly bytes: readonly TrailerBytesView[];
}

/** The patches that a trailer was given to, beside those that have it. */
export interface TrailerBytesView {
	readonly kind: 'these' | 'sameChanges' | 'other' | 'unknown';
	readonly text: string;
	/** `1–3, 5`; empty for all patches of the trailer. */
	readonly patches: string;
	/** The earlier patchset, for the difference. */
	readonly patchsetId: number | undefined;
}

/** `doubtful`: an unknown key or another signer, or not checked. */
export type SignatureIcon = 'valid' | 'changed' | 'doubtful' | 'unsigned';

/** Signatures of the patches. */
export interface SignaturesView {
	/** Patches with the same sentences, counted. */
	readonly sums: readonly { readonly icon: SignatureIcon; readonly text: string }[];
	/** Each patch, if they differ. */
	readonly patches: readonly {
		readonly mailId: number;
		readonly number: string;
		readonly title: string;
		readonly icon: SignatureIcon;
		readonly text: string;
	}[];
	/** Only a key in DNS decides about one, and the user did not allow the question yet. */
	readonly mayAskDns: boolean;
}

/** Something that happened to the patchset. */
export interface EventView {
	readonly text: string;
	/** `undefined` if unknown. */
	readonly atMs: number | undefined;
	/** Its mail, if any. */
	readonly mailId: number | undefined;
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
	readonly trailers: readonly TrailersView[];
	readonly events: readonly EventView[];
	/** Its commits are in a remote repository. */
	readonly isPushed: boolean;
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
	readonly isViewed: boolean;
	/** Number of comments in words; may be empty. */
	readonly comments: string;
}

/** A comment of a reply, on one line. */
export interface CommentView {
	readonly mailId: number;
	/** Its place among the comments of its mail. */
	readonly index: number;
	readonly writer: string;
	/** `fold.c:12`, or another place; may be empty. */
	readonly place: string;
	readonly text: string;
	readonly isQuestion: boolean;
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
	/** In reading order. */
	readonly comments: readonly CommentView[];
	/** Viewed files: all of them, or a part in words. */
	readonly viewed: { readonly isAll: boolean; readonly text: string };
	readonly cautions: readonly string[];
}

/** A comment of the reader on an earlier version. */
export interface OutcomeView {
	readonly mailId: number;
	/** Its place among the comments of its mail. */
	readonly index: number;
	readonly text: string;
	/** `fold.c:12` in this version; may be empty. */
	readonly place: string;
	readonly outcome: string;
	/** The change that answers it, with the signs of its lines; may be empty. */
	readonly hunk: readonly string[];
	/** The author's reply. */
	readonly reply: { readonly mailId: number; readonly text: string } | undefined;
}

/** A draft comment on an earlier version, or one that came from there. */
export interface OwnDraftView {
	readonly id: string;
	readonly text: string;
	readonly place: string;
	readonly state: string;
	/** The lines of the earlier version, if they are not the same here. */
	readonly lines: readonly string[];
}

export interface OwnDraftsView {
	/** Stable key. */
	readonly key: string;
	readonly title: string;
	readonly rows: readonly OwnDraftView[];
	/** `undefined` if no draft can move. */
	readonly move: { readonly action: 'moveDrafts' | 'moveDraftsBack'; readonly text: string } | undefined;
}

/** The reader's part in earlier versions; empty for most patchsets. */
export interface OwnReviewView {
	readonly comments: { readonly title: string; readonly rows: readonly OutcomeView[] } | undefined;
	readonly drafts: readonly OwnDraftsView[];
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
	/** The conversation in its thread. */
	readonly mails?: ThreadMailsChange | undefined;
	/** All drafts of replies to its mails. */
	readonly replies?: readonly ReplyView[] | undefined;
	/** After everything else. */
	readonly signatures?: SignaturesView | undefined;
	/** The reader's unsent comment on the series; may be empty. */
	readonly comment?: string | undefined;
	/** Unsent drafts of the reader's review, as a sentence; empty without drafts. */
	readonly review?: string | undefined;
	readonly own?: OwnReviewView | undefined;
}

/** Fixed texts of the page. */
export function patchsetStrings(l10n: L10n) {
	return {
		...mailsStrings(l10n),
		copyReference: l10n.t('Copy Reference'),
		setStatus: l10n.t('Set Status'),
		versions: l10n.t('Versions'),
		linkVersion: l10n.t('Link Manually…'),
		unlinkVersion: l10n.t('Unlink'),
		compareVersion: l10n.t('Compare'),
		versionChanges: l10n.t('Open Changes'),
		changesSinceReview: l10n.t('Open Changes Since Your Review'),
		thisVersion: l10n.t('this page'),
		sent: l10n.t('sent {0}'),
		updated: l10n.t('updated {0}'),
		tools: l10n.t('Continuous integration'),
		openDiffs: l10n.t('Open All Diffs'),
		openThread: l10n.t('Open Thread'),
		save: l10n.t('Save .mbox'),
		copyCommand: l10n.t('Copy git am Command'),
		checkApplies: l10n.t('Check if It Applies…'),
		apply: l10n.t('Apply…'),
		comment: l10n.t('Comment'),
		yourComment: l10n.t('Your comment on the series'),
		commentPlaceholder: l10n.t('Comment on the series. It is sent with your review.'),
		addTrailer: l10n.t('Add Trailer…'),
		firstUnviewed: l10n.t('First Unviewed File'),
		hideViewed: l10n.t('Hide viewed files'),
		comments: l10n.t('Comments'),
		events: l10n.t('What happened'),
		finishApplied: l10n.t('Finish Applied Patchset…'),
		more: l10n.t('More Actions'),
		previewReview: l10n.t('Preview Review'),
		sendReview: l10n.t('Send Review…'),
		discardReview: l10n.t('Discard Review…'),
		review: l10n.t('Your review'),
		changedLines: l10n.t('Changed lines'),
		oldLines: l10n.t('Lines of the earlier version'),
		suggestions: l10n.t('Suggestion'),
		showEvidence: l10n.t('View Evidence'),
		health: l10n.t('Problems in this series'),
		showMail: l10n.t('Show Message'),
		coverLetter: l10n.t('Cover letter'),
		summary: l10n.t('Summary'),
		patches: l10n.t('Patches'),
		noPatches: l10n.t('No patches to show.'),
		oneFile: l10n.t('1 file'),
		severalFiles: l10n.t('{0} files'),
		moreFiles: l10n.t('{0} more in the diff.'),
		openDiff: l10n.t('Open Diff'),
		viewed: l10n.t('Viewed'),
		showRaw: l10n.t('View Raw Patch'),
		message: l10n.t('Commit message'),
		notes: l10n.t('Notes below the message'),
		applied: l10n.t('What git would apply'),
		trailers: l10n.t('Trailers'),
		signatures: l10n.t('Signatures'),
		signaturesOfPatches: l10n.t('Signatures of each patch'),
		lookUpKeys: l10n.t('Look Up Keys of Signatures in DNS…'),
		person: l10n.t('Person'),
		given: l10n.t('Given'),
		showDifference: l10n.t('Show Difference'),
		tickets: l10n.t('Tickets'),
		ofUnknown: l10n.t('of a tracker that the message does not name'),
		loading: l10n.t('Loading messages…'),
		conversation: l10n.t('Replies'),
		noMails: l10n.t('No replies yet.'),
	};
}

export type PatchsetPageStrings = ReturnType<typeof patchsetStrings>;
