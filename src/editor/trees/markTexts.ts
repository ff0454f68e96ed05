import * as vscode from 'vscode';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import type { Mark } from 'sourcehut/port/mark.ts';

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

/** "312" when that is all, "50+" when there may be more. */
export function countText(count: number, isWhole: boolean): string {
	const text = new Intl.NumberFormat(vscode.env.language).format(count);
	return isWhole ? text : vscode.l10n.t('{0}+', text);
}

/** "3 new". */
export function newText(count: number): string {
	return vscode.l10n.t('{0} new', countText(count, true));
}

/** "3 new, 1 changed", `undefined` when nothing is unread. */
export function unreadText(marks: ReadonlyMap<string, Mark>): string | undefined {
	const kinds = [...marks.values()];
	const fresh = kinds.filter((mark) => mark === 'new').length;
	const changed = kinds.length - fresh;
	const texts = [
		...(fresh > 0 ? [newText(fresh)] : []),
		...(changed > 0 ? [vscode.l10n.t('{0} changed', countText(changed, true))] : []),
	];
	return texts.length === 0 ? undefined : texts.join(', ');
}
