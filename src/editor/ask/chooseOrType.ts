import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { visible } from '../../engine/text/visible.ts';
import { asText, type Choice } from './ask.ts';
import { nextAccepted } from './liveQuickPick.ts';

/** A list and the initial text of its box. */
export interface OpenList<T> {
	readonly title: string;
	readonly choices: readonly Choice<T>[];
	readonly typed?: string;
	/**
	 * An item for text that no row has as label, such as a ticket by number. It goes on top, because the editor puts
	 * exact labels first; a partial match in another row never wins.
	 */
	readonly exact?: (typed: string) => Exact<T> | undefined;
}

/** A row with the typed text as label. With a label of its own it goes below the matching rows. */
export type Exact<T> = Omit<Choice<T>, 'label'> & { readonly label?: string };

/**
 * Accepts typed text unless a row has exactly that label. If a row only begins with the text, that row stays on top,
 * because users abbreviate.
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

/** The choice and the text in the list's box. */
export interface ChosenAndTyped<T> {
	readonly value: T;
	readonly typed: string;
}

/**
 * Asks for a choice in a list with an "other" row. Text typed before that row is chosen becomes `typed`, for the next
 * question (`Question.typed`). Throws `cancelled()` if the user closes the list.
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
