import type * as vscode from 'vscode';
import type { TreeNode } from './treeNode.ts';

/**
 * Whether the rows at the top look as the editor was given them, and it never asked for what is below any. Then a change of all
 * rows is none that it has to hear of: it would forget every row until it was answered, and who unfolds one in that moment
 * would see nothing below it.
 */
export interface TopAsGiven {
	/** The editor asked for what is below a row, or at the top, and was given these. */
	given(above: string | undefined, rows: readonly TreeNode[]): void;
	/** The editor asked how a row looks, and is answered this. */
	drew(row: TreeNode, item: vscode.TreeItem): vscode.TreeItem;
	/** `look` answers how a row looks now. */
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
