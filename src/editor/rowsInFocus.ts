import * as vscode from 'vscode';

/**
 * Answers the rows that a key pressed in a view means, as menus mean them: those that are selected, or the row in focus
 * alone when it is none of them. Arrow keys move the focus and leave the selection, and the editor tells extensions the
 * selection only; so the row in focus is selected or let go for a moment, which tells it, and then put back.
 */
export function rowsInFocus<T>(view: Pick<vscode.TreeView<T>, 'selection'>): () => Promise<readonly T[]> {
	let last: Promise<unknown> = Promise.resolve();
	return () => {
		// One after the other: who looks while another one looks would see a row that nobody selected.
		const looked = last.then(() => look(view));
		last = looked.catch(() => undefined);
		return looked;
	};
}

async function look<T>(view: Pick<vscode.TreeView<T>, 'selection'>): Promise<readonly T[]> {
	const early = view.selection;
	await toggle();
	const during = view.selection;
	// Whatever was seen: the editor means the list that last had the focus, which may be another one than this.
	await toggle();
	const now = view.selection;
	// News of a click may still have been on its way when the key was pressed; they have come by the editor's first answer.
	const inFocus = [...during, ...now].find((row) => during.includes(row) !== now.includes(row));
	return inFocus === undefined || now.includes(inFocus) ? inOrderOf(early, now) : [inFocus];
}

/** A row that was let go and selected again comes last; here it stands where it stood. */
function inOrderOf<T>(order: readonly T[], rows: readonly T[]): readonly T[] {
	return [...order.filter((row) => rows.includes(row)), ...rows.filter((row) => !order.includes(row))];
}

/** Of the list that has the focus; opens nothing. */
async function toggle(): Promise<void> {
	await vscode.commands.executeCommand('list.toggleSelection');
}
