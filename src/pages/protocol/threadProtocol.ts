import * as v from 'valibot';
import {
	itemId,
	mailStrings,
	wholeNumber,
	type EntryStart,
	type L10n,
	type MailContentView,
	type Protocol,
	type PullView,
} from './pageProtocol.ts';

/** Initial data of the page. */
export interface ThreadPageStart extends EntryStart<ThreadChange> {
	readonly strings: ThreadPageStrings;
	readonly look: ThreadLook;
}

/** Messages between the thread page and the host. `changed` arrives before the response. */
export interface ThreadProtocol extends Protocol {
	readonly requests: {
		/** `in`: number of the page's current start, 0 for none. */
		readonly load: { readonly in: number; readonly out: ThreadPageStart };
		/** Retries a failed thread. */
		readonly again: { readonly in: undefined; readonly out: undefined };
		/** Retries a failed mail. */
		readonly readAgain: { readonly in: number; readonly out: undefined };
		/** Reads a mail beyond the size limit. */
		readonly readWhole: { readonly in: number; readonly out: undefined };
		readonly saveAttachment: { readonly in: MailPart; readonly out: undefined };
		readonly openAttachment: { readonly in: MailPart; readonly out: undefined };
		readonly openDiff: { readonly in: MailPart; readonly out: undefined };
		readonly showRaw: { readonly in: MailPart; readonly out: undefined };
		readonly openDocument: { readonly in: number; readonly out: undefined };
		/** Shows the changes of a pull request mail. */
		readonly openPullChanges: { readonly in: number; readonly out: undefined };
		/** Copies the fetch command of a pull request mail. */
		readonly copyFetchCommand: { readonly in: number; readonly out: undefined };
		/** Fetches it into a clone, after a confirmation. */
		readonly fetchPull: { readonly in: number; readonly out: undefined };
		/** By account or address. */
		readonly openPerson: { readonly in: string; readonly out: undefined };
		readonly openPatchset: { readonly in: number; readonly out: undefined };
		readonly copy: { readonly in: v.InferOutput<typeof copyWish>; readonly out: undefined };
		readonly openOnWeb: { readonly in: number; readonly out: undefined };
		/** Opens a reply in an editor. */
		readonly reply: { readonly in: number; readonly out: undefined };
		/** Makes this mail the target of palette commands and keys. */
		readonly mark: { readonly in: number; readonly out: undefined };
		/** Opens a new mail to the list. */
		readonly newMail: { readonly in: undefined; readonly out: undefined };
		readonly keepLook: { readonly in: ThreadLook; readonly out: undefined };
		/** A click on a link. The host applies the link policy. */
		readonly follow: { readonly in: string; readonly out: undefined };
	};
	readonly news: {
		/** Embedded in the page itself. */
		readonly start: ThreadPageStart;
		readonly changed: ThreadChange;
		/** Loading may succeed now: the page starts over. */
		readonly reload: undefined;
		/** Scrolls to this mail. */
		readonly goTo: number;
		/** Moves to the next or previous mail. */
		readonly step: 'next' | 'previous';
	};
}

/** An attachment, or a file of the mail's diff; without `part` the whole mail. */
export const mailPart = v.strictObject({ mail: itemId, part: v.optional(wholeNumber) });
export type MailPart = Readonly<v.InferOutput<typeof mailPart>>;

const copiedPart = v.picklist(['messageId', 'link']);
export type CopiedPart = v.InferOutput<typeof copiedPart>;

export const copyWish = v.strictObject({ mail: itemId, what: copiedPart });

/** Display options of all threads. */
export const threadLook = v.strictObject({ areLinesWrapped: v.boolean(), areQuotesOpen: v.boolean() });
export type ThreadLook = Readonly<v.InferOutput<typeof threadLook>>;

/** State of a mail's text. `reason` is a sentence. */
export type MailTextView =
	| { readonly kind: 'reading' }
	| { readonly kind: 'failed'; readonly reason: string }
	| { readonly kind: 'read'; readonly content: MailContentView; readonly pull: PullView | undefined };

/** A mail of a thread. Its texts have hidden characters made visible. */
export interface ThreadMailView {
	readonly id: number;
	/** Reply depth; 0 for the first mail. */
	readonly depth: number;
	/** Author of the answered mail; `undefined` for the first mail. */
	readonly answers: string | undefined;
	/** `~name`, if the forge knows one. */
	readonly account: string | undefined;
	/** Arrival time. */
	readonly atMs: number;
	/** `undefined` when equal to the thread's. */
	readonly subject: string | undefined;
	/** With angle brackets. */
	readonly messageId: string;
	readonly isNew: boolean;
	readonly text: MailTextView;
}

export interface ThreadPatchsetView {
	readonly id: number;
	readonly text: string;
}

/** A thread without its mails. */
export interface ThreadHeadView {
	readonly subject: string;
	/** `~alice/devel` */
	readonly list: string;
	/** Number of mails, as text. */
	readonly counts: string;
	readonly patchsets: readonly ThreadPatchsetView[];
	/** Sentence about the age of cached data; empty for fresh data. */
	readonly readBefore: string;
}

/** Changes of the mails, or their loading state; `reason` is a sentence. */
export type ThreadMailsChange =
	| { readonly kind: 'loading' }
	| { readonly kind: 'failed'; readonly reason: string }
	| {
			readonly kind: 'mails';
			/** True to replace all mails of the page. */
			readonly isWhole: boolean;
			/** All mail numbers in reading order; missing when unchanged. */
			readonly order: readonly number[] | undefined;
			/** New and changed mails. */
			readonly put: readonly ThreadMailView[];
			/** True when the next message continues this change. */
			readonly goesOn: boolean;
	  };

/** Changes since the last message. */
export interface ThreadChange {
	readonly head: ThreadHeadView | undefined;
	readonly mails: ThreadMailsChange | undefined;
}

/** Fixed texts of the page. */
export function threadStrings(l10n: L10n) {
	return {
		mail: mailStrings(l10n),
		tools: l10n.t('Reading options'),
		wrap: l10n.t('Wrap lines'),
		unfoldQuotes: l10n.t('Unfold quotes'),
		nextMail: l10n.t('Next Message'),
		previousMail: l10n.t('Previous Message'),
		loading: l10n.t('Loading…'),
		reading: l10n.t('Loading the text…'),
		tryAgain: l10n.t('Try Again'),
		noMails: l10n.t('There are no messages in this thread.'),
		fresh: l10n.t('new'),
		answering: l10n.t('in reply to {0}'),
		hideAnswers: l10n.t('Hide Replies'),
		showAnswers: l10n.t('Show Replies'),
		hiddenAnswers: l10n.t('{0} replies hidden'),
		oneHiddenAnswer: l10n.t('1 reply hidden'),
		copyMessageId: l10n.t('Copy Message-ID'),
		copyLink: l10n.t('Copy Link'),
		copied: l10n.t('Copied'),
		openOnWeb: l10n.t('Open on the Web'),
		reply: l10n.t('Reply…'),
		newMail: l10n.t('New Message to List…'),
		actions: l10n.t('Actions'),
		mails: l10n.t('Messages'),
	};
}

export type ThreadPageStrings = ReturnType<typeof threadStrings>;
