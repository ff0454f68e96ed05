import * as vscode from 'vscode';
import type { MailStrings } from '../../../protocol/mailStrings.ts';

/** What pages say around mails, in the language of the editor. */
export function mailStrings(): MailStrings {
	return {
		quotedLines: vscode.l10n.t('{0} quoted lines', '{0}'),
		signature: vscode.l10n.t('Signature'),
		charactersLeftOut: vscode.l10n.t('{0} more characters are in the document.', '{0}'),
		openDocument: vscode.l10n.t('Open as document'),
		attachments: vscode.l10n.t('Attachments'),
		saveAttachment: vscode.l10n.t('Save…'),
		openAttachment: vscode.l10n.t('Open as text'),
		oneFile: vscode.l10n.t('1 file'),
		files: vscode.l10n.t('{0} files', '{0}'),
		linesChanged: vscode.l10n.t('{0} lines added, {1} removed', '{0}', '{1}'),
		added: vscode.l10n.t('new'),
		deleted: vscode.l10n.t('deleted'),
		renamed: vscode.l10n.t('renamed'),
		copied: vscode.l10n.t('copied'),
		binary: vscode.l10n.t('binary'),
		openDiff: vscode.l10n.t('Open diff'),
		showAsItCame: vscode.l10n.t('Show as it came'),
		readWhole: vscode.l10n.t('Read it anyway'),
		caution: vscode.l10n.t('Caution'),
		to: vscode.l10n.t('To'),
		cc: vscode.l10n.t('Cc'),
		andMore: vscode.l10n.t('and {0} more', '{0}'),
		noAccount: vscode.l10n.t('no account'),
		openPerson: vscode.l10n.t('Open person {0}', '{0}'),
		pull: vscode.l10n.t('This asks for a branch to be pulled'),
		repository: vscode.l10n.t('Repository'),
		reference: vscode.l10n.t('Reference'),
	};
}
