import * as vscode from 'vscode';
import { assertNever } from '../../../base/assertNever.ts';
import type { SeriesProblem } from '../../../series/seriesReading.ts';

/** What to do about a problem of a series, in a sentence. */
export function problemAdvice(problem: SeriesProblem): string {
	switch (problem.kind) {
		case 'missingPart':
			return vscode.l10n.t('Ask the sender for it, or wait: the series cannot be applied as a whole without it.');
		case 'repeatedPart':
			return vscode.l10n.t('The first one received is used here. Ask the sender which one is right.');
		case 'wrongOrder':
			return vscode.l10n.t('They are shown and saved by number. No action needed.');
		case 'wrappedLines':
		case 'damaged':
			return vscode.l10n.t('The patch cannot be applied. Ask the sender to send it with git send-email.');
		case 'htmlOnly':
			return vscode.l10n.t('It contains no plain text to read a patch from. Ask the sender for plain text.');
		case 'flowed':
			return vscode.l10n.t('If it does not apply, ask the sender to send it with git send-email.');
		case 'inDoubt':
			return vscode.l10n.t(
				'Read what git would apply before you apply it, or ask the sender to send it with git send-email.',
			);
		case 'noDiff':
			return vscode.l10n.t('There is nothing to apply. View the raw mail, or ask the sender for the patch.');
		case 'wrongPrefix':
			return vscode.l10n.t('Tell the sender, so that tools that rely on the subject find the series.');
		case 'attachedPatch':
			return vscode.l10n.t('It is read here and saved with the others, but the pages of the forge do not show it.');
		default:
			return assertNever(problem);
	}
}
