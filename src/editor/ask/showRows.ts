import type * as vscode from 'vscode';

/**
 * Gives a box its rows without moving the choice away from under the user: a row that was chosen stays the chosen one
 * as long as it is there, and rows that look as before are left alone. `lookOf` tells one row from another.
 */
export function showRows<T extends vscode.QuickPickItem>(
	box: Pick<vscode.QuickPick<T>, 'items' | 'activeItems'>,
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
