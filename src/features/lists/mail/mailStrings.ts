import * as vscode from 'vscode';
import type { MailStrings } from '../../../pages/protocol/mailStrings.ts';

/** Localized strings of mail pages. */
export function mailStrings(): MailStrings {
	return {
		quotedLines: vscode.l10n.t('{0} quoted lines', '{0}'),
		signature: vscode.l10n.t('Signature'),
		charactersLeftOut: vscode.l10n.t('{0} more characters in the document.', '{0}'),
		openDocument: vscode.l10n.t('Open as Document'),
		attachments: vscode.l10n.t('Attachments'),
		saveAttachment: vscode.l10n.t('Save…'),
		openAttachment: vscode.l10n.t('Open as Text'),
		oneFile: vscode.l10n.t('1 file'),
		files: vscode.l10n.t('{0} files', '{0}'),
		linesChanged: vscode.l10n.t('{0} lines added, {1} removed', '{0}', '{1}'),
		oneLineAdded: vscode.l10n.t('1 line added, {0} removed', '{0}'),
		added: vscode.l10n.t('new'),
		deleted: vscode.l10n.t('deleted'),
		renamed: vscode.l10n.t('renamed'),
		copied: vscode.l10n.t('copied'),
		binary: vscode.l10n.t('binary'),
		openDiff: vscode.l10n.t('Open Diff'),
		showAsItCame: vscode.l10n.t('View Raw Patch'),
		readWhole: vscode.l10n.t('Parse Anyway'),
		caution: vscode.l10n.t('Caution'),
		to: vscode.l10n.t('To'),
		cc: vscode.l10n.t('Cc'),
		andMore: vscode.l10n.t('and {0} more', '{0}'),
		noAccount: vscode.l10n.t('no account'),
		openPerson: vscode.l10n.t('Open person {0}', '{0}'),
		pull: vscode.l10n.t('Pull request'),
		pullChanges: vscode.l10n.t('Compare commits'),
		fetchPull: vscode.l10n.t('Fetch…'),
		copyFetchCommand: vscode.l10n.t('Copy Fetch Command'),
		repository: vscode.l10n.t('Repository'),
		reference: vscode.l10n.t('Reference'),
	};
}
