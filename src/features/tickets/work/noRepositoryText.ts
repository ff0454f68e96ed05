import * as vscode from 'vscode';
import type { GitApi } from '../../../editor/git/gitApi.ts';

export function noRepositoryText(git: GitApi | undefined): string {
	return git
		? vscode.l10n.t('No git repository is open in this window. Open its folder first.')
		: vscode.l10n.t('Git is disabled in this window. Turn on the setting git.enabled, then try again.');
}
