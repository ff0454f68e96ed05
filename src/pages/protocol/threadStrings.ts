import type { MailStrings } from './mailStrings.ts';

/** Fixed texts of the page in the editor's language. */
export interface ThreadPageStrings {
	readonly mail: MailStrings;
	readonly tools: string;
	readonly wrap: string;
	readonly unfoldQuotes: string;
	readonly nextMail: string;
	readonly previousMail: string;
	readonly loading: string;
	readonly reading: string;
	readonly tryAgain: string;
	readonly noMails: string;
	readonly fresh: string;
	/** `{0}`: the answered person. */
	readonly answering: string;
	readonly hideAnswers: string;
	readonly showAnswers: string;
	/** `{0}`: number of answers. */
	readonly hiddenAnswers: string;
	readonly oneHiddenAnswer: string;
	readonly copyMessageId: string;
	readonly copyLink: string;
	readonly copied: string;
	readonly openOnWeb: string;
	readonly reply: string;
	readonly newMail: string;
	readonly actions: string;
	readonly mails: string;
}
