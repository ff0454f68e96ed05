import type { L10n } from './pageValues.ts';
import { mailStrings } from './mailStrings.ts';

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
