import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { visible } from '../../engine/text/visible.ts';
import { tickRows, type TickGroup, type TickRow } from './ask.ts';
import { nextAccepted } from './liveQuickPick.ts';

/** A list of checkboxes in which typed text such as `1-3,5` checks rows. */
export interface TypedTicks<T> {
	readonly title: string;
	readonly placeHolder: string;
	readonly groups: readonly TickGroup<T>[];
	/** State of each row for the typed text; `undefined` if the row keeps its own. */
	readonly ticked: (typed: string) => ((value: T) => boolean | undefined) | undefined;
}

/** Like `chooseSeveral`, with checkboxes that follow the typed text. Throws `cancelled()` if the user closes the list. */
export async function chooseTicked<T>(
	{ title, placeHolder, groups, ticked }: TypedTicks<T>,
	signal: AbortSignal,
): Promise<readonly T[]> {
	using owned = new Disposables();
	const box = owned.add(vscode.window.createQuickPick<TickRow<T>>());
	box.title = visible(title);
	box.placeholder = visible(placeHolder);
	box.canSelectMany = true;
	box.matchOnDescription = true;
	box.ignoreFocusOut = true;
	const rows = tickRows(groups);
	box.items = rows;
	box.selectedItems = rows.filter(({ picked }) => picked === true);
	owned.add(
		box.onDidChangeValue((typed) => {
			const stateOf = ticked(typed.trim());
			if (stateOf) {
				const before = new Set(box.selectedItems);
				box.selectedItems = rows.filter(
					(row) => row.tick !== undefined && (stateOf(row.tick.value) ?? before.has(row)),
				);
			}
		}),
	);
	box.show();
	await nextAccepted(box, signal);
	return box.selectedItems.flatMap(({ tick }) => (tick ? [tick.value] : []));
}
