import type * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import type { TreeNode } from './treeNode.ts';
import type { TreeNote } from './treeSource.ts';

/**
 * What stands beside a view's name: why the last reading of its top failed, or else a few words on its rows. There, because
 * the editor shows no welcome text in a view that has a message.
 */
export interface ViewDescription extends Disposable {
	/** Why the top could not be read; `undefined` when it was, or is being read. */
	because(reason: string | undefined): void;
	/** Rows were shown, so the words on them may be others by now. */
	tell(): void;
}

export function viewDescription(view: vscode.TreeView<TreeNode>, note: TreeNote | undefined): ViewDescription {
	let reason: string | undefined;

	function tell(): void {
		const text = reason ?? note?.text() ?? '';
		if (view.description !== text) {
			view.description = text;
		}
	}

	const listening = note?.onDidChange(tell);
	return {
		because(next) {
			reason = next;
			tell();
		},
		tell,
		dispose: () => void listening?.dispose(),
	};
}
