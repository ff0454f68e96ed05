import * as vscode from 'vscode';
import type { TreeNode } from './treeNode.ts';

/** A row is missing during its redraw and returns with the editor's next answer or two. */
const mostLooks = 8;
/** Possibly no row has the focus; more looks would not help. */
const mostLooksWithoutFocus = 4;

/**
 * Finds the rows for a key pressed in a view, with the semantics of menus: the selection, or the focused row alone if
 * it is outside the selection. Arrow keys move the focus without the selection, and extensions only see the selection.
 * So toggle the focused row's selection for a moment, observe the change, and restore it. Returns `undefined` if the
 * view changes too fast: a wrong guess would change the wrong tickets.
 */
export function rowsInFocus(view: vscode.TreeView<TreeNode>): () => Promise<readonly TreeNode[] | undefined> {
	let last: Promise<unknown> = Promise.resolve();
	return () => {
		// Sequential: a concurrent look would observe the other's toggle.
		const looked = last.then(async () => {
			for (let looks = 1; looks <= mostLooks; looks += 1) {
				const seen = await look(view);
				if (seen?.hasFocus || (seen && looks >= mostLooksWithoutFocus)) {
					return seen.rows;
				}
			}
			return undefined;
		});
		last = looked.catch(() => undefined);
		return looked;
	};
}

/**
 * `undefined` if rows changed meanwhile, through a click or a redraw. Every key in a view waits for this, so both toggles
 * leave at once. The second one restores the selection in any case: the command acts on the last focused list, possibly
 * another one. `hasFocus`: false if no row appeared to have the focus.
 */
async function look(view: vscode.TreeView<TreeNode>) {
	const early = view.selection;
	const changes: (readonly TreeNode[])[] = [];
	const watching = view.onDidChangeSelection(({ selection }) => changes.push(selection));
	await Promise.all([toggle(), toggle()]).finally(() => void watching.dispose());
	const now = view.selection;
	const [during = now, restored = now] = changes;
	const letGo = without(now, during);
	const taken = without(during, now);
	const isSteady = changes.length === 0 || changes.length === 2;
	if (!isSteady || !isSame(early, now) || !isSame(restored, now) || letGo.length + taken.length > 1) {
		return undefined;
	}
	// A reselected row moves to the end; restore its position.
	const selected = early.flatMap(({ id }) => now.find((row) => row.id === id) ?? []);
	return { rows: taken.length > 0 ? taken : selected, hasFocus: letGo.length + taken.length > 0 };
}

/** By id: a redraw creates new objects. */
function without(rows: readonly TreeNode[], others: readonly TreeNode[]): readonly TreeNode[] {
	return rows.filter(({ id }) => others.every((other) => other.id !== id));
}

function isSame(rows: readonly TreeNode[], others: readonly TreeNode[]): boolean {
	return without(rows, others).length + without(others, rows).length === 0;
}

/** Of the list that has the focus; opens nothing. */
async function toggle(): Promise<void> {
	await vscode.commands.executeCommand('list.toggleSelection');
}
