import * as vscode from 'vscode';
import { moreRow } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';

/** Row that says of how many a filter cannot tell, because their mails were not read, and reads some of them. */
export function untoldRow(
	parent: TreeNode,
	count: number,
	readOn: (signal: AbortSignal) => Promise<void>,
): readonly TreeNode[] {
	const counts = vscode.l10n.t('not loaded for this filter: {0}', count);
	return count === 0 ? [] : [moreRow({ id: `${parent.id}/untold`, parent, counts }, readOn)];
}

/** The same of a board: threads that the account wrote in tell what it has replied to. */
export function unreadRepliesRow(
	parent: TreeNode,
	count: number,
	readOn: (signal: AbortSignal) => Promise<void>,
): readonly TreeNode[] {
	const counts = vscode.l10n.t('threads with your replies not loaded: {0}', count);
	return count === 0 ? [] : [moreRow({ id: `${parent.id}/replies`, parent, counts }, readOn)];
}
