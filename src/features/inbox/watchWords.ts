import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { tellBriefly } from '../../editor/ask/notify.ts';
import type { Watching, WatchWord } from '../../state/inbox/inboxBook.ts';

/** Title of a choice. */
export function wordText(word: Watching): string {
	switch (word) {
		case 'everything':
			return vscode.l10n.t('Everything');
		case 'concerns':
			return vscode.l10n.t('What Concerns Me');
		case 'nothing':
			return vscode.l10n.t('Nothing');
		default:
			return assertNever(word);
	}
}

/** The same in a sentence of its own. */
export function wordDetail(word: Watching): string {
	switch (word) {
		case 'everything':
			return vscode.l10n.t('All that happens, also where you do not follow it');
		case 'concerns':
			return vscode.l10n.t('Mentions, assignments, replies to you, and what you take part in');
		case 'nothing':
			return vscode.l10n.t('Muted');
		default:
			return assertNever(word);
	}
}

/** Describes the usual choice; `undefined` if it differs between the selected things. */
export function usualDetail(usual: Watching | undefined): string {
	switch (usual) {
		case 'everything':
			return vscode.l10n.t('Here: everything');
		case 'concerns':
			return vscode.l10n.t('Here: what concerns you');
		case 'nothing':
			return vscode.l10n.t('Here: nothing');
		case undefined:
			return vscode.l10n.t('As long as you choose nothing else');
		default:
			return assertNever(usual);
	}
}

/** Confirms a choice with the things' titles; silent without any. */
export function tellChosen(titles: readonly string[], word: WatchWord): void {
	const [first] = titles;
	if (first !== undefined) {
		tellBriefly(titles.length === 1 ? saidOfOne(first, word) : saidOfSeveral(titles.length, word));
	}
}

function saidOfOne(title: string, word: WatchWord): string {
	switch (word) {
		case 'everything':
			return vscode.l10n.t('Everything of "{0}" comes to your inbox.', title);
		case 'concerns':
			return vscode.l10n.t('What concerns you of "{0}" comes to your inbox.', title);
		case 'nothing':
			return vscode.l10n.t('Muted "{0}".', title);
		case 'usual':
			return vscode.l10n.t('"{0}" comes to your inbox as usual.', title);
		default:
			return assertNever(word);
	}
}

function saidOfSeveral(count: number, word: WatchWord): string {
	switch (word) {
		case 'everything':
			return vscode.l10n.t('Everything of {0} things comes to your inbox.', count);
		case 'concerns':
			return vscode.l10n.t('What concerns you of {0} things comes to your inbox.', count);
		case 'nothing':
			return vscode.l10n.t('Muted {0} things.', count);
		case 'usual':
			return vscode.l10n.t('{0} things come to your inbox as usual.', count);
		default:
			return assertNever(word);
	}
}
