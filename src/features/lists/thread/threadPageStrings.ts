import * as vscode from 'vscode';
import type { ThreadPageStrings } from '../../../protocol/threadStrings.ts';
import { mailStrings } from '../mail/mailStrings.ts';

/** What the thread page says, in the language of the editor. */
export function threadPageStrings(): ThreadPageStrings {
	return {
		mail: mailStrings(),
		tools: vscode.l10n.t('Reading options'),
		wrap: vscode.l10n.t('Wrap lines'),
		unfoldQuotes: vscode.l10n.t('Unfold quotes'),
		nextMail: vscode.l10n.t('Next Mail'),
		previousMail: vscode.l10n.t('Previous Mail'),
		loading: vscode.l10n.t('Loading…'),
		reading: vscode.l10n.t('Loading the text…'),
		tryAgain: vscode.l10n.t('Try Again'),
		noMails: vscode.l10n.t('There are no mails in this thread.'),
		fresh: vscode.l10n.t('new'),
		answering: vscode.l10n.t('in reply to {0}', '{0}'),
		hideAnswers: vscode.l10n.t('Hide Replies'),
		showAnswers: vscode.l10n.t('Show Replies'),
		hiddenAnswers: vscode.l10n.t('{0} replies hidden', '{0}'),
		oneHiddenAnswer: vscode.l10n.t('1 reply hidden'),
		copyMessageId: vscode.l10n.t('Copy Message-ID'),
		copyLink: vscode.l10n.t('Copy Link'),
		copied: vscode.l10n.t('Copied'),
		openOnWeb: vscode.l10n.t('Open on the Web'),
		actions: vscode.l10n.t('Actions'),
		mails: vscode.l10n.t('Mails'),
	};
}
