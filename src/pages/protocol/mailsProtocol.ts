import * as v from 'valibot';
import { itemId, mailStrings, wholeNumber, type L10n, type MailContentView, type PullView } from './pageProtocol.ts';

/* Mails on a page, in reading order: of a thread, or of the conversation about a patchset. */

/** Requests of every page with mails. */
export type MailsRequests = {
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
	readonly copy: { readonly in: v.InferOutput<typeof copyWish>; readonly out: undefined };
	readonly openOnWeb: { readonly in: number; readonly out: undefined };
	/** Begins a reply, or continues its draft; `undefined` if its document came to the front instead. */
	readonly openReply: { readonly in: v.InferOutput<typeof replyWish>; readonly out: ReplyView | undefined };
	/** Stores the text of an open reply. Answers with a sentence if it was not stored. */
	readonly keepReply: { readonly in: v.InferOutput<typeof replyText>; readonly out: string | undefined };
	/** Sends the stored reply after a question. */
	readonly sendReply: { readonly in: number; readonly out: undefined };
	readonly discardReply: { readonly in: number; readonly out: undefined };
	/** Opens the reply as a document, where its recipients can be changed. */
	readonly editReply: { readonly in: number; readonly out: undefined };
};

/** An attachment, or a file of the mail's diff; without `part` the whole mail. */
export const mailPart = v.strictObject({ mail: itemId, part: v.optional(wholeNumber) });
export type MailPart = Readonly<v.InferOutput<typeof mailPart>>;

const copiedPart = v.picklist(['messageId', 'link']);
export type CopiedPart = v.InferOutput<typeof copiedPart>;

export const copyWish = v.strictObject({ mail: itemId, what: copiedPart });

export const replyWish = v.strictObject({ mail: itemId, isQuoting: v.boolean() });

/** Far beyond any mail that a list takes. */
const longestReply = 1_000_000;

export const replyText = v.strictObject({ mail: itemId, text: v.pipe(v.string(), v.maxLength(longestReply)) });

/** A draft reply to the mail of this number. */
export interface ReplyView {
	readonly mail: number;
	readonly text: string;
	/** Recipients and subject, as lines. */
	readonly head: readonly string[];
}

/** State of a mail's text. `reason` is a sentence. */
export type MailTextView =
	| { readonly kind: 'reading' }
	| { readonly kind: 'failed'; readonly reason: string }
	| { readonly kind: 'read'; readonly content: MailContentView; readonly pull: PullView | undefined }
	/** A patch that the page shows elsewhere, or not at all. Here it is the head of its replies. */
	| { readonly kind: 'patch'; readonly title: string };

/** A mail of a thread. Its texts have hidden characters made visible. */
export interface ThreadMailView {
	readonly id: number;
	/** Reply depth; 0 for the first mail. */
	readonly depth: number;
	/** Author of the answered mail; `undefined` for the first mail. */
	readonly answers: string | undefined;
	/** As in `MailSender`. */
	readonly account: string | undefined;
	/** Arrival time. */
	readonly atMs: number;
	/** `undefined` when equal to that of the thread or of the answered mail. */
	readonly subject: string | undefined;
	/** With angle brackets. */
	readonly messageId: string;
	readonly isNew: boolean;
	readonly text: MailTextView;
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

/** Fixed texts of mails in a thread. */
export function mailsStrings(l10n: L10n) {
	return {
		mail: mailStrings(l10n),
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
		reply: l10n.t('Reply'),
		yourReply: l10n.t('Your reply'),
		replyAtEnd: l10n.t('Reply to the first message'),
		sendReply: l10n.t('Send Message…'),
		editReply: l10n.t('Edit as Message'),
		discardReply: l10n.t('Discard…'),
		sendKeys: l10n.t('Ctrl+Enter sends after a question.'),
		draftKept: l10n.t('Draft saved'),
		actions: l10n.t('Actions'),
		mails: l10n.t('Messages'),
	};
}

export type MailsStrings = ReturnType<typeof mailsStrings>;
