import type { MailStrings } from './mailStrings.ts';

/** Every text of the page that does not depend on the conversation, in the language of the editor. */
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
	/** With `{0}` for whom. */
	readonly answering: string;
	readonly hideAnswers: string;
	readonly showAnswers: string;
	/** With `{0}` for how many. */
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
