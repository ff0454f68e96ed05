import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { tellBriefly } from '../../editor/ask/notify.ts';
import type { Watching, WatchWord } from '../../store/inbox/inboxBook.ts';

/** Title of a choice. */
export function wordText(word: Watching): string {
	switch (word) {
		case 'everything':
			return vscode.l10n.t('Everything');
		case 'concerns':
			return vscode.l10n.t('Participating and mentions');
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
			return vscode.l10n.t('Mentions, assignments, replies to you, and threads and tickets that you participate in');
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
			return vscode.l10n.t('Watching everything');
		case 'concerns':
			return vscode.l10n.t('Watching participation and mentions');
		case 'nothing':
			return vscode.l10n.t('Muted');
		case undefined:
			return vscode.l10n.t('Differs between the selected items');
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
			return vscode.l10n.t('Watching everything in "{0}".', title);
		case 'concerns':
			return vscode.l10n.t('Watching participation and mentions in "{0}".', title);
		case 'nothing':
			return vscode.l10n.t('Muted "{0}".', title);
		case 'usual':
			return vscode.l10n.t('Restored the default for "{0}".', title);
		default:
			return assertNever(word);
	}
}

function saidOfSeveral(count: number, word: WatchWord): string {
	switch (word) {
		case 'everything':
			return vscode.l10n.t('Watching everything in {0} items.', count);
		case 'concerns':
			return vscode.l10n.t('Watching participation and mentions in {0} items.', count);
		case 'nothing':
			return vscode.l10n.t('Muted {0} items.', count);
		case 'usual':
			return vscode.l10n.t('Restored the default for {0} items.', count);
		default:
			return assertNever(word);
	}
}
