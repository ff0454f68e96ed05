import type { L10n } from './pageValues.ts';

/** Fixed texts of mails. */
export function mailStrings(l10n: L10n) {
	return {
		quotedLines: l10n.t('{0} quoted lines'),
		signature: l10n.t('Signature'),
		charactersLeftOut: l10n.t('{0} more characters in the document.'),
		openDocument: l10n.t('Open as Document'),
		attachments: l10n.t('Attachments'),
		saveAttachment: l10n.t('Save…'),
		openAttachment: l10n.t('Open as Text'),
		oneFile: l10n.t('1 file'),
		files: l10n.t('{0} files'),
		linesChanged: l10n.t('{0} lines added, {1} removed'),
		oneLineAdded: l10n.t('1 line added, {0} removed'),
		added: l10n.t('new'),
		deleted: l10n.t('deleted'),
		renamed: l10n.t('renamed'),
		copied: l10n.t('copied'),
		binary: l10n.t('binary'),
		openDiff: l10n.t('Open Diff'),
		showAsItCame: l10n.t('View Raw Patch'),
		readWhole: l10n.t('Parse Anyway'),
		caution: l10n.t('Caution'),
		to: l10n.t('To'),
		cc: l10n.t('Cc'),
		andMore: l10n.t('and {0} more'),
		noAccount: l10n.t('no account'),
		openPerson: l10n.t('Open person {0}'),
		pull: l10n.t('Pull request'),
		pullChanges: l10n.t('Compare commits'),
		fetchPull: l10n.t('Fetch…'),
		copyFetchCommand: l10n.t('Copy Fetch Command'),
		repository: l10n.t('Repository'),
		reference: l10n.t('Reference'),
	};
}

export type MailStrings = ReturnType<typeof mailStrings>;
