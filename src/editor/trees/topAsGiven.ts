import type * as vscode from 'vscode';
import type { TreeNode } from './treeNode.ts';

/**
 * True if the root rows look as the editor received them and it never requested children. Then a full change needs no
 * event. The event would make the editor drop all rows until the answer, and a row expanded at that moment would look
 * empty.
 */
export function topAsGiven() {
	const looks = new Map<string, string>();
	let ids: readonly string[] | undefined;
	let isBelowGiven = false;
	return {
		/** The editor requested children or the root and received these. */
		given(above: string | undefined, rows: readonly TreeNode[]) {
			if (above === undefined) {
				ids = rows.map(({ id }) => id);
			} else {
				isBelowGiven = true;
				looks.clear();
			}
		},
		/** The editor requested a row's look and received this. */
		drew({ id, parent }: TreeNode, item: vscode.TreeItem) {
			if (!parent && !isBelowGiven) {
				looks.set(id, JSON.stringify(item));
			}
			return item;
		},
		/** `look` returns the current look of a row. */
		is: (rows: readonly TreeNode[], look: (row: TreeNode) => vscode.TreeItem) =>
			ids?.length === rows.length &&
			rows.every((row, at) => row.id === ids?.[at] && looks.get(row.id) === JSON.stringify(look(row))),
	};
}
