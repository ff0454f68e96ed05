import * as vscode from 'vscode';
import type { Desk } from '../editor/desk.ts';
import type { TreeNode } from '../editor/trees/treeNode.ts';
import type { ViewId } from '../commands/viewIds.ts';

/** A view's rows, asked of the desk when the view is first looked at. */
export interface LazyTree extends vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
	/** Takes the real tree once the desk is there. */
	follow(tree: vscode.TreeDataProvider<TreeNode>): void;
}

/** Made of closures and not of a class: this runs at every start, and a class costs several times as much there. */
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
		// Rows come from the desk, so by now it is there.
		getTreeItem: (node) => tree?.getTreeItem(node) ?? node.item,
		getParent: (node) => tree?.getParent?.(node) ?? node.parent,
		resolveTreeItem: (item, node, token) => tree?.resolveTreeItem?.(item, node, token) ?? item,
		dispose: () => changed.dispose(),
	};
}
