import type * as vscode from 'vscode';

/**
 * Updates a box's rows and preserves the selection: the active row stays active while it exists, and unchanged rows
 * stay untouched. `lookOf` identifies a row.
 */
export function showRows<T extends vscode.QuickPickItem>(
	box: vscode.QuickPick<T>,
	rows: readonly T[],
	{ lookOf, isSame }: { readonly lookOf: (row: T) => string; readonly isSame: (one: T, other: T) => boolean },
): void {
	if (rows.map(lookOf).join('\n') === box.items.map(lookOf).join('\n')) {
		return;
	}
	const [chosen] = box.activeItems;
	const isMoved = chosen !== undefined && chosen !== box.items[0];
	box.items = rows;
	const again = isMoved ? rows.find((row) => isSame(row, chosen)) : undefined;
	if (again) {
		box.activeItems = [again];
	}
}
