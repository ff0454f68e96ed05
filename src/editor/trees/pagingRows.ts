import * as vscode from 'vscode';
import { rowContext } from '../../commands/rows.ts';
import type { Completeness } from 'sourcehut/port/page.ts';
import type { Listing } from '../../store/shared/listing.ts';
import type { ShowMoreSubject } from '../commands/subjects.ts';
import type { TreeNode } from './treeNode.ts';

/** "Showing 50 of 312", never more than is certain; empty if complete. */
export function countsText(shown: number, completeness: Completeness): string {
	switch (completeness.kind) {
		case 'complete':
			return '';
		case 'more':
			if (completeness.isLast) {
				return vscode.l10n.t('Showing {0}. The forge has more, but does not list them.', shown);
			}
			return completeness.total === undefined
				? vscode.l10n.t('Showing {0}, and there are more', shown)
				: vscode.l10n.t('Showing {0} of {1}', shown, Math.max(shown, completeness.total));
		case 'unstated':
			return vscode.l10n.t('{0} shown; the server sends no more', shown);
	}
}

/** Last row of an incomplete list: its extent and "Show more". `id` is unique in the view. */
export function moreRow(
	{ id, parent, counts }: { readonly id: string; readonly parent: TreeNode | undefined; readonly counts: string },
	run: ShowMoreSubject['run'] | undefined,
): TreeNode {
	const item = new vscode.TreeItem(run ? vscode.l10n.t('Show More') : counts, vscode.TreeItemCollapsibleState.None);
	const subject: ShowMoreSubject | undefined = run && { kind: 'showMore', run };
	item.contextValue = rowContext(run ? 'more' : 'counts', {});
	item.iconPath = new vscode.ThemeIcon(run ? 'ellipsis' : 'info');
	if (run) {
		item.description = counts;
		item.command = { command: 'forge.view.showMore', title: vscode.l10n.t('Show More'), arguments: [subject] };
	}
	return { id, item, parent, subject };
}

/** Where the rows of a list end. */
export interface TailPlace {
	/** Id of the row that the list hangs under. */
	readonly id: string;
	readonly parent: TreeNode | undefined;
	/** Counted unit, if not rows: "mails". */
	readonly unit?: string | undefined;
}

/** Rows after a list; empty for a complete one. */
export function tailRows(
	{ id, parent, unit }: TailPlace,
	{ items, completeness }: Listing<unknown>,
	readOn: (signal: AbortSignal) => Promise<unknown>,
): readonly TreeNode[] {
	const counted = countsText(items.length, completeness);
	const at = { id: `${id}/more`, parent, counts: unit === undefined ? counted : `${counted} (${unit})` };
	switch (completeness.kind) {
		case 'complete':
			return [];
		case 'unstated':
			return items.length === 0 ? [] : [moreRow(at, undefined)];
		case 'more':
			return [moreRow(at, completeness.isLast ? undefined : async (signal) => void (await readOn(signal)))];
	}
}
