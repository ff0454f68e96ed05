import * as vscode from 'vscode';
import type { Connection } from '../../state/connection.ts';
import type { TreeNode } from './treeNode.ts';

/** Row of an account; only there when there are several. */
export function connectionRow(
	{ key, me, instance }: Pick<Connection, 'key' | 'me' | 'instance'>,
	children: NonNullable<TreeNode['children']>,
): TreeNode {
	const item = new vscode.TreeItem(me, vscode.TreeItemCollapsibleState.Expanded);
	item.description = instance.name;
	item.iconPath = new vscode.ThemeIcon('account');
	item.contextValue = 'forge.connection';
	return { id: key, item, parent: undefined, children, subject: { kind: 'connection', connectionKey: key } };
}
