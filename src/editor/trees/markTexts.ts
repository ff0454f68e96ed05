import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { Mark } from '../../forge/port/mark.ts';

/** The mark as a word for screen readers. */
export function markText(mark: Mark): string {
	switch (mark) {
		case 'new':
			return vscode.l10n.t('new');
		case 'changed':
			return vscode.l10n.t('changed');
		default:
			return assertNever(mark);
	}
}

/** The same in a sentence. */
export function markSentence(mark: Mark): string {
	switch (mark) {
		case 'new':
			return vscode.l10n.t('New: you have not opened it yet.');
		case 'changed':
			return vscode.l10n.t('Changed since you last looked.');
		default:
			return assertNever(mark);
	}
}
