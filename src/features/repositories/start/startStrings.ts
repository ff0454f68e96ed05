import * as vscode from 'vscode';
import type { RepositoryPageStrings } from '../../../protocol/repositoryProtocol.ts';

/** The page's own texts in the editor's language. */
export function startStrings(): RepositoryPageStrings {
	return {
		about: vscode.l10n.t('About'),
		readme: vscode.l10n.t('README'),
		commits: vscode.l10n.t('Latest commits'),
		references: vscode.l10n.t('References'),
		branches: vscode.l10n.t('Branches'),
		tags: vscode.l10n.t('Tags'),
		others: vscode.l10n.t('Other references'),
		clone: vscode.l10n.t('Clone'),
		readOnly: vscode.l10n.t('Read-only'),
		readWrite: vscode.l10n.t('Read and write'),
		copyNamed: vscode.l10n.t('Copy {0}', '{0}'),
		copied: vscode.l10n.t('Copied'),
		copyReference: vscode.l10n.t('Copy Reference'),
		copyLink: vscode.l10n.t('Copy Link'),
		openOnWeb: vscode.l10n.t('Open on the Web'),
		more: vscode.l10n.t('More'),
		openOwner: vscode.l10n.t('Open person {0}', '{0}'),
		updated: vscode.l10n.t('updated {0}', '{0}'),
		isDefault: vscode.l10n.t('default'),
		openFolder: vscode.l10n.t('Open Remote Folder'),
		goToFile: vscode.l10n.t('Go to File'),
		cloneHere: vscode.l10n.t('Clone…'),
		compare: vscode.l10n.t('Compare…'),
		openNamed: vscode.l10n.t('Open {0}', '{0}'),
		mountNamed: vscode.l10n.t('Open Remote Folder at {0}', '{0}'),
		showAll: vscode.l10n.t('Show All {0}', '{0}'),
		leftOut: vscode.l10n.t('{0} more in the Repositories view.', '{0}'),
		showMore: vscode.l10n.t('Show More'),
		empty: vscode.l10n.t('This repository is empty.'),
		howToPush: vscode.l10n.t('To push to it, run this in a local repository:'),
		noCommits: vscode.l10n.t('There are no commits on the default branch.'),
		noReferences: vscode.l10n.t('There are no branches or tags.'),
		loading: vscode.l10n.t('Loading…'),
		tryAgain: vscode.l10n.t('Try Again'),
	};
}
