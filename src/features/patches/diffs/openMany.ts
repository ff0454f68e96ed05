import * as vscode from 'vscode';
import { openChanges } from '../../../editor/documents/showDocument.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import type { CombinedFile } from '../../../editor/patchDocuments/combinedFiles.ts';
import type { Certainty } from './certainty.ts';

/** The editor draws files lazily, but needs the complete list at once. */
export const mostFiles = 2000;

/**
 * Opens a multi-file diff. `words` begin the title with its certainty. `hasWhole`: at least one file appears beyond its
 * hunks.
 */
export async function openMany(
	{ certainty }: { readonly certainty: Certainty },
	words: readonly string[],
	files: readonly CombinedFile[],
	hasWhole = files.some(({ found }) => {
		const whole = found && found.whole.kind !== 'hunksOnly' ? found.whole : undefined;
		return whole?.before !== undefined && whole.after !== undefined && whole.hunks.length > 0;
	}),
): Promise<void> {
	if (files.length > mostFiles) {
		tellBriefly(vscode.l10n.t('Only the first {0} of {1} files are shown.', mostFiles, files.length));
	}
	const shown = files.slice(0, mostFiles);
	certainty.note(shown.map(({ compared, found }) => ({ documents: compared.slice(1), found })));
	const title = words.filter((word) => word !== '').join(' ');
	const verified = files.filter(({ found }) => found?.whole.kind === 'verified').length;
	const whole =
		verified === files.length
			? vscode.l10n.t('{0} (verified)', title)
			: vscode.l10n.t('{0} (verified: {1} of {2})', title, verified, files.length);
	await openChanges(
		hasWhole ? whole : vscode.l10n.t('{0} (only what the patches show)', title),
		shown.map(({ compared }) => compared),
	);
}
