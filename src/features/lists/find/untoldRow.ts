import * as vscode from 'vscode';
import { moreRow } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';

/** Row with the number of undecided items; a click loads some of their mails. */
export function untoldRow(
	parent: TreeNode,
	count: number,
	readOn: (signal: AbortSignal) => Promise<void>,
): readonly TreeNode[] {
	const counts = vscode.l10n.t('not loaded for this filter: {0}', count);
	return count === 0 ? [] : [moreRow({ id: `${parent.id}/untold`, parent, counts }, readOn)];
}

/** The same for a board: threads show which patchsets already have the account's reply. */
export function unreadRepliesRow(
	parent: TreeNode,
	count: number,
	readOn: (signal: AbortSignal) => Promise<void>,
): readonly TreeNode[] {
	const counts = vscode.l10n.t('threads with your replies not loaded: {0}', count);
	return count === 0 ? [] : [moreRow({ id: `${parent.id}/replies`, parent, counts }, readOn)];
}
