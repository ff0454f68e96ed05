import type * as vscode from 'vscode';
import type { TreeNode } from './treeNode.ts';

/**
 * True if the root rows look as the editor received them and it never requested children. Then a full change needs no
 * event. The event would make the editor drop all rows until the answer, and a row expanded at that moment would look
 * empty.
 */
export interface TopAsGiven {
	/** The editor requested children or the root and received these. */
	given(above: string | undefined, rows: readonly TreeNode[]): void;
	/** The editor requested a row's look and received this. */
	drew(row: TreeNode, item: vscode.TreeItem): vscode.TreeItem;
	/** `look` returns the current look of a row. */
	is(rows: readonly TreeNode[], look: (row: TreeNode) => vscode.TreeItem): boolean;
}

export function topAsGiven(): TopAsGiven {
	const looks = new Map<string, string>();
	let ids: readonly string[] | undefined;
	let isBelowGiven = false;
	return {
		given(above, rows) {
			if (above === undefined) {
				ids = rows.map(({ id }) => id);
			} else {
				isBelowGiven = true;
				looks.clear();
			}
		},
		drew({ id, parent }, item) {
			if (!parent && !isBelowGiven) {
				looks.set(id, JSON.stringify(item));
			}
			return item;
		},
		is: (rows, look) =>
			ids?.length === rows.length &&
			rows.every((row, at) => row.id === ids?.[at] && looks.get(row.id) === JSON.stringify(look(row))),
	};
}
