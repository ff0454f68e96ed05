import type * as vscode from 'vscode';
import type { TreeNode } from './treeNode.ts';
import type { TreeNote } from './treeSource.ts';

/**
 * Text beside a view's title: the error of the last root load, otherwise a short text about the rows. A view's message
 * is no alternative, because the editor then hides the welcome text.
 */
export function viewDescription(view: vscode.TreeView<TreeNode>, note: TreeNote | undefined) {
	let reason: string | undefined;

	function tell(): void {
		const text = reason ?? note?.text() ?? '';
		if (view.description !== text) {
			view.description = text;
		}
	}

	const listening = note?.onDidChange(tell);
	return {
		/** Error of the root; `undefined` after success or during a load. */
		because(next: string | undefined) {
			reason = next;
			tell();
		},
		/** Rows appeared; update the text. */
		tell,
		dispose: () => void listening?.dispose(),
	};
}
