import * as vscode from 'vscode';
import type { SeriesVersion } from '../../../store/lists/patchsets/patchsetReview.ts';

/** Why a patchset counts as a version of another one, with the evidence, in a few words. */
export function versionLinkText({ link, likeness, patchset }: SeriesVersion): string {
	switch (link) {
		case undefined:
			return '';
		case 'forge':
			// Archives state no versions. A search found this one, and archives have no status.
			return patchset.status === 'none'
				? vscode.l10n.t('same sender, and same title or change-id')
				: vscode.l10n.t('linked by the forge');
		case 'thread':
			return vscode.l10n.t('reply in the same thread');
		case 'stated':
			return vscode.l10n.t('linked by a cover letter');
		case 'subject':
			return vscode.l10n.t('same subject, prefix and sender');
		case 'byHand':
			return vscode.l10n.t('linked manually');
		case 'person':
			return vscode.l10n.t('same subject and prefix, from another address of the sender');
		case 'patches':
			return likeness
				? vscode.l10n.t('same sender, equal patches: {0} of {1}', likeness.equal, likeness.of)
				: vscode.l10n.t('same sender, equal patches');
		case 'perhaps':
			return likeness
				? vscode.l10n.t('perhaps a version, equal patches: {0} of {1}', likeness.equal, likeness.of)
				: vscode.l10n.t('perhaps a version');
		case 'claimed':
			return likeness
				? vscode.l10n.t('by someone else, equal patches: {0} of {1}', likeness.equal, likeness.of)
				: vscode.l10n.t('named or sent by someone else');
	}
}
