import * as vscode from 'vscode';
import type { PersonPageStrings } from '../../protocol/personProtocol.ts';

/** The page's own texts in the editor's language. */
export function pageStrings(): PersonPageStrings {
	return {
		sections: {
			patchsets: vscode.l10n.t('Patchsets'),
			mails: vscode.l10n.t('Messages'),
			trackers: vscode.l10n.t('Trackers'),
			lists: vscode.l10n.t('Mailing lists'),
			repositories: vscode.l10n.t('Repositories'),
		},
		ownSections: {
			patchsets: vscode.l10n.t('Patchsets you sent and their status'),
			mails: vscode.l10n.t('Your messages'),
			trackers: vscode.l10n.t('Your trackers'),
			lists: vscode.l10n.t('Your mailing lists'),
			repositories: vscode.l10n.t('Your repositories'),
		},
		profile: vscode.l10n.t('Profile'),
		address: vscode.l10n.t('Email address'),
		url: vscode.l10n.t('Website'),
		location: vscode.l10n.t('Location'),
		thisIsYou: vscode.l10n.t('This is you'),
		openOnWeb: vscode.l10n.t('Open on the Web'),
		copyName: vscode.l10n.t('Copy Name'),
		copied: vscode.l10n.t('Copied'),
		loading: vscode.l10n.t('Loading…'),
		tryAgain: vscode.l10n.t('Try Again'),
		follow: vscode.l10n.t('Follow'),
		followNamed: vscode.l10n.t('Follow {0}'),
	};
}
