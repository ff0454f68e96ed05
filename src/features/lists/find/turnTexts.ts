import * as vscode from 'vscode';
import type { Turn } from './board.ts';

/** Why it is someone's turn, for rows. `age`: of the last mail, as in "2 days ago". Empty if unknown. */
export function whyText({ whose, why }: Turn, age: string): string {
	switch (why) {
		case 'unknown':
			return '';
		case 'unreviewed':
			return vscode.l10n.t('no review yet');
		case 'newVersion':
			return vscode.l10n.t('new version');
		case 'needsRevision':
			return whose === 'mine' ? vscode.l10n.t('needs your new version') : vscode.l10n.t('needs a new version');
		case 'myReply':
			return age === '' ? vscode.l10n.t('you commented') : vscode.l10n.t('you commented {0}', age);
		case 'authorsReply':
			return age === '' ? vscode.l10n.t('author replied') : vscode.l10n.t('author replied {0}', age);
		case 'othersReply':
			return age === '' ? vscode.l10n.t('others replied') : vscode.l10n.t('others replied {0}', age);
	}
}

/** Whose turn it is. */
export function turnText({ whose }: Turn): string {
	switch (whose) {
		case 'mine':
			return vscode.l10n.t('your turn');
		case 'author':
			return vscode.l10n.t('waiting for the author');
		case 'reviewers':
			return vscode.l10n.t('waiting for reviewers');
	}
}

/** Icon of an open patchset: its shape says why, its color that it is the user's turn. */
export function turnIcon({ whose, why }: Turn): vscode.ThemeIcon {
	const codicon = {
		unknown: 'git-pull-request',
		unreviewed: 'git-pull-request',
		newVersion: 'versions',
		needsRevision: 'request-changes',
		myReply: 'reply',
		authorsReply: 'comment',
		othersReply: 'comment-discussion',
	}[why];
	return whose === 'mine'
		? new vscode.ThemeIcon(codicon, new vscode.ThemeColor('charts.blue'))
		: new vscode.ThemeIcon(codicon);
}
