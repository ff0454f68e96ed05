import * as vscode from 'vscode';
import type { Desk } from '../editor/desk.ts';
import type { TreeNode } from '../editor/trees/treeNode.ts';
import type { ViewId } from '../commands/viewIds.ts';

/** Tree of a view; loads the desk when the view is visible. */
export interface LazyTree extends vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
	/** Forwards to the real tree. */
	follow(tree: vscode.TreeDataProvider<TreeNode>): void;
}

/** Closures, because a class costs several times as much at startup. */
export function lazyTree(id: ViewId, desk: () => Promise<Desk>): LazyTree {
	const changed = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined | void | null>();
	let tree: vscode.TreeDataProvider<TreeNode> | undefined;
	return {
		onDidChangeTreeData: changed.event,
		follow(real) {
			tree = real;
			real.onDidChangeTreeData?.((node) => changed.fire(node));
		},
		getChildren: (node) => desk().then(({ trees }) => trees[id].getChildren(node)),
		// Nodes exist only after the desk has loaded.
		getTreeItem: (node) => tree?.getTreeItem(node) ?? node.item,
		getParent: (node) => tree?.getParent?.(node) ?? node.parent,
		resolveTreeItem: (item, node, token) => tree?.resolveTreeItem?.(item, node, token) ?? item,
		dispose: () => changed.dispose(),
	};
}
