import * as vscode from 'vscode';
import type { Mark } from '../../forge/port/mark.ts';

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
