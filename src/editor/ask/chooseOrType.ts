import * as vscode from 'vscode';
import { Disposables } from '../../base/lifecycle.ts';
import { visible } from '../../text/visible.ts';
import { asText, type Choice } from './ask.ts';
import { nextAccepted } from './nextAccepted.ts';

/** A list, and what stands in its box from the start. */
export interface OpenList<T> {
	readonly title: string;
	readonly choices: readonly Choice<T>[];
	readonly typed?: string;
	/**
	 * What the text in the box names in full and no row of the list has as its label, such as a ticket by its number. It
	 * stands on top, because the editor shows first what is labelled just so; a row that contains the text elsewhere never wins.
	 */
	readonly exact?: (typed: string) => Exact<T> | undefined;
}

/** A row whose label is what was typed, unless it has one of its own: then the rows that the text matches stand above it. */
export type Exact<T> = Omit<Choice<T>, 'label'> & { readonly label?: string };

/**
 * Takes what was typed, unless a row has it as its label. Where one only begins so, the text may be as much of it as people
 * care to type, and that row stands on top.
 */
export function asTyped<T>(
	rows: readonly Choice<unknown>[],
	text: string,
	{ value, iconPath }: AsTyped<T>,
): Exact<T> | undefined {
	const typed = text.toLowerCase();
	const labels = rows.map(({ label }) => label.toLowerCase());
	if (labels.includes(typed)) {
		return undefined;
	}
	const row = { ...(iconPath ? { iconPath } : {}), value };
	return labels.some((label) => label.startsWith(typed))
		? { ...row, label: vscode.l10n.t('As typed'), description: text }
		: { ...row, description: vscode.l10n.t('as typed') };
}

type AsTyped<T> = Pick<Choice<T>, 'value' | 'iconPath'>;

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
	{ title, choices, typed = '', exact }: OpenList<T>,
	signal: AbortSignal,
): Promise<ChosenAndTyped<T>> {
	using owned = new Disposables();
	const box = owned.add(vscode.window.createQuickPick<Choice<T>>());
	box.title = visible(title);
	box.placeholder = box.title;
	box.matchOnDescription = true;
	box.matchOnDetail = true;
	box.ignoreFocusOut = true;
	box.value = typed;
	const rows = choices.map(asText);
	const showFor = (text: string): void => {
		const label = text.trim();
		const named = label === '' ? undefined : exact?.(label);
		// Last, so that the others keep their places: the editor names by its place the row that Enter takes meanwhile.
		box.items = named ? [...rows, asText({ label, ...named, alwaysShow: true })] : rows;
	};
	showFor(typed);
	if (exact) {
		owned.add(box.onDidChangeValue(showFor));
	}
	box.show();
	for (;;) {
		const row = await nextAccepted(box, signal);
		if (row) {
			return { value: row.value, typed: box.value };
		}
	}
}
