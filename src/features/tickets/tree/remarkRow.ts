import * as vscode from 'vscode';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';

/** A quiet last line that tells something of the rows above it. */
export function remarkRow(id: string, parent: TreeNode | undefined, text: string): TreeNode {
	const item = new vscode.TreeItem(text, vscode.TreeItemCollapsibleState.None);
	item.iconPath = new vscode.ThemeIcon('info');
	item.contextValue = 'counts';
	return { id: `${id}/remark`, item, parent, subject: undefined };
}
