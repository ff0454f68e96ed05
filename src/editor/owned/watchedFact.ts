import * as vscode from 'vscode';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { Connection } from '../../store/connection.ts';
import { watchedKey, type WatchedPlace } from '../../store/inbox/watched.ts';

/** Inbox setting of a place as a short row text; `undefined` for the usual. */
export function watchedFact({ inbox }: Connection, place: WatchedPlace): string | undefined {
	const chosen = inbox.choice(watchedKey(place));
	switch (chosen) {
		case 'everything':
			return vscode.l10n.t('everything in inbox');
		case 'concerns':
			return vscode.l10n.t('what concerns you in inbox');
		case 'nothing':
			return vscode.l10n.t('muted');
		case 'usual':
			return undefined;
		default:
			return assertNever(chosen);
	}
}

/** An inbox choice changed, so place rows may change. */
export function onDidChoose({ inbox }: Connection, changed: () => void): Disposable {
	return inbox.onDidChange(({ areChoices }) => {
		if (areChoices) {
			changed();
		}
	});
}
