import * as vscode from 'vscode';
import type { TreeNode } from './treeNode.ts';

/** A row as far as it matters here: one that is drawn anew is another object with the same id. */
type Row = Pick<TreeNode, 'id'>;

/** What one look at a view tells. */
interface Look<T> {
	readonly rows: readonly T[];
	/** False when no row was seen to be in focus. */
	readonly hasFocus: boolean;
}

/** A row that is being drawn anew is missing for a moment; it is there after the next answer of the editor or two. */
const mostLooks = 8;
/** Nothing may really be in focus, and then more looks tell no more. */
const mostLooksWithoutFocus = 4;

/**
 * Answers the rows that a key pressed in a view means, as menus mean them: those that are selected, or the row in focus
 * alone when it is none of them. Arrow keys move the focus and leave the selection, and the editor tells extensions the
 * selection only; so the row in focus is selected or let go for a moment, which tells it, and then put back. Answers
 * `undefined` when the view changes so fast that this cannot be told: a guess would change tickets that nobody meant.
 */
export function rowsInFocus<T extends Row>(
	view: Pick<vscode.TreeView<T>, 'selection'>,
): () => Promise<readonly T[] | undefined> {
	let last: Promise<unknown> = Promise.resolve();
	return () => {
		// One after the other: who looks while another one looks would see a row that nobody selected.
		const looked = last.then(() => lookUntilSure(view));
		last = looked.catch(() => undefined);
		return looked;
	};
}

async function lookUntilSure<T extends Row>(
	view: Pick<vscode.TreeView<T>, 'selection'>,
): Promise<readonly T[] | undefined> {
	for (let looks = 1; looks <= mostLooks; looks += 1) {
		const seen = await look(view);
		if (seen?.hasFocus || (seen && looks >= mostLooksWithoutFocus)) {
			return seen.rows;
		}
	}
	return undefined;
}

/** `undefined` when rows came or went meanwhile: news of a click, or a part of the view that is being drawn anew. */
async function look<T extends Row>(view: Pick<vscode.TreeView<T>, 'selection'>): Promise<Look<T> | undefined> {
	const early = view.selection;
	await toggle();
	const during = view.selection;
	// Whatever was seen: the editor means the list that last had the focus, which may be another one than this.
	await toggle();
	const now = view.selection;
	const letGo = without(now, during);
	const taken = without(during, now);
	if (without(early, now).length + without(now, early).length > 0 || letGo.length + taken.length > 1) {
		return undefined;
	}
	// A row that was let go and selected again comes last; here it stands where it stood.
	const selected = early.flatMap(({ id }) => now.find((row) => row.id === id) ?? []);
	return { rows: taken.length > 0 ? taken : selected, hasFocus: letGo.length + taken.length > 0 };
}

function without<T extends Row>(rows: readonly T[], others: readonly Row[]): readonly T[] {
	return rows.filter(({ id }) => others.every((other) => other.id !== id));
}

/** Of the list that has the focus; opens nothing. */
async function toggle(): Promise<void> {
	await vscode.commands.executeCommand('list.toggleSelection');
}
