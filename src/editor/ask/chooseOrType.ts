import * as vscode from 'vscode';
import { Disposables } from '../../base/lifecycle.ts';
import { asText, type Choice } from './ask.ts';
import { nextAccepted } from './nextAccepted.ts';

/** A list, and what stands in its box from the start. */
export interface OpenList<T> {
	readonly title: string;
	readonly choices: readonly Choice<T>[];
	readonly typed?: string;
}

/** What was chosen, and what stood in the list's box by then. */
export interface ChosenAndTyped<T> {
	readonly value: T;
	readonly typed: string;
}

/**
 * Asks to choose one of a list with a row for what is not in it. What people type to find that is `typed`, for the question
 * behind the row (`Question.typed`). Throws `cancelled()` when the list is closed.
 */
export async function chooseOrType<T>(
	{ title, choices, typed = '' }: OpenList<T>,
	signal: AbortSignal,
): Promise<ChosenAndTyped<T>> {
	using owned = new Disposables();
	const box = owned.add(vscode.window.createQuickPick<Choice<T>>());
	box.title = title;
	box.placeholder = title;
	box.matchOnDescription = true;
	box.matchOnDetail = true;
	box.ignoreFocusOut = true;
	box.value = typed;
	box.items = choices.map(asText);
	box.show();
	for (;;) {
		const row = await nextAccepted(box, signal);
		if (row) {
			return { value: row.value, typed: box.value };
		}
	}
}
