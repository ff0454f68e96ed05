import * as vscode from 'vscode';
import type { CommitPageStrings } from '../../../protocol/commitProtocol.ts';

/** The page's own texts in the editor's language. */
export function commitStrings(): CommitPageStrings {
	return {
		author: vscode.l10n.t('Author'),
		committer: vscode.l10n.t('Committer'),
		date: vscode.l10n.t('Date'),
		commit: vscode.l10n.t('Commit'),
		parents: vscode.l10n.t('Parents'),
		tree: vscode.l10n.t('Tree'),
		signature: vscode.l10n.t('Signature'),
		message: vscode.l10n.t('Message'),
		trailers: vscode.l10n.t('Trailers'),
		trailer: vscode.l10n.t('Trailer'),
		value: vscode.l10n.t('Value'),
		files: vscode.l10n.t('Changed files'),
		// As git writes them.
		letters: { added: 'A', deleted: 'D', modified: 'M', typeChanged: 'T', renamed: 'R' },
		kinds: {
			added: vscode.l10n.t('Added'),
			deleted: vscode.l10n.t('Deleted'),
			modified: vscode.l10n.t('Modified'),
			typeChanged: vscode.l10n.t('Type changed'),
			renamed: vscode.l10n.t('Renamed'),
		},
		renamed: vscode.l10n.t('{0} → {1}', '{0}', '{1}'),
		comparedWith: vscode.l10n.t('Compared with'),
		nthParent: vscode.l10n.t('parent {0}: {1}', '{0}', '{1}'),
		noFiles: vscode.l10n.t('No files changed.'),
		noParents: vscode.l10n.t('none (root commit)'),
		openChanges: vscode.l10n.t('Open Changes'),
		browse: vscode.l10n.t('Browse Files'),
		copyId: vscode.l10n.t('Copy Commit ID'),
		copyLink: vscode.l10n.t('Copy Permalink'),
		copied: vscode.l10n.t('Copied'),
		openOnWeb: vscode.l10n.t('Open on the Web'),
		openPerson: vscode.l10n.t('Open person {0}', '{0}'),
		openCommit: vscode.l10n.t('Open commit {0}', '{0}'),
		openRepository: vscode.l10n.t('Open Repository'),
		loading: vscode.l10n.t('Loading…'),
		tryAgain: vscode.l10n.t('Try Again'),
	};
}
