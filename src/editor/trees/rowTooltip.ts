import type * as vscode from 'vscode';
import { isAbort } from '../../base/abort.ts';
import type { Problems } from '../ask/problems.ts';
import type { TreeNode } from './treeNode.ts';

/** Resolves a tooltip, or shows why it failed. */
export async function addTooltip(
	item: vscode.TreeItem,
	{ tooltip }: Pick<TreeNode, 'tooltip'>,
	token: vscode.CancellationToken,
	problems: Problems,
): Promise<vscode.TreeItem> {
	if (tooltip) {
		const abort = new AbortController();
		const cancelling = token.onCancellationRequested(() => abort.abort());
		try {
			item.tooltip = await tooltip(abort.signal);
		} catch (error) {
			if (!isAbort(error)) {
				item.tooltip = problems.explain(error).message;
			}
		} finally {
			cancelling.dispose();
		}
	}
	return item;
}
