import * as vscode from 'vscode';
import { visible } from '../../engine/text/visible.ts';
import { confirm, confirmForGood, plainUnderBox, withoutPictures } from './notify.ts';

/** Thrown when the user closes a question: callers stop silently. */
export function cancelled(): Error {
	return new DOMException('Cancelled by the user', 'AbortError');
}

/** Asks in a modal dialog. Throws `cancelled()` for a no. */
export async function confirmOrCancel(message: string, detail: string, action: string) {
	if (!(await confirm(message, detail, action))) {
		throw cancelled();
	}
}

/** The same for irreversible actions, with a warning icon. */
export async function confirmForGoodOrCancel(message: string, detail: string, action: string) {
	if (!(await confirmForGood(message, detail, action))) {
		throw cancelled();
	}
}

/** One choice of a list; `value` is what choosing it means. */
export interface Choice<T> extends vscode.QuickPickItem {
	readonly value: T;
}

/**
 * Asks for a choice. Throws `cancelled()` if the user closes the list. Choices may load asynchronously; their texts
 * never become icons. `placeHolder`: if the title is too long to repeat.
 */
export async function choose<T>(
	title: string,
	choices: readonly Choice<T>[] | Promise<readonly Choice<T>[]>,
	placeHolder = title,
): Promise<T> {
	const shown = Promise.resolve(choices).then((all) => all.map(asText));
	const chosen = await vscode.window.showQuickPick(shown, {
		title: visible(title),
		placeHolder: visible(placeHolder),
		matchOnDescription: true,
		matchOnDetail: true,
		ignoreFocusOut: true,
	});
	if (!chosen) {
		throw cancelled();
	}
	return chosen.value;
}

/** A choice with a checkbox. Separators have no meaning. */
export interface TickChoice<T> extends Choice<T> {
	readonly picked: boolean;
}

/** A group of ticks under a heading. */
export interface TickGroup<T> {
	/** Meaning of a tick in this group. */
	readonly heading: string;
	readonly choices: readonly TickChoice<T>[];
}

/** Asks for several choices; `picked` ones start ticked. Throws `cancelled()` if the user closes the list. */
export async function chooseSeveral<T>(
	title: string,
	placeHolder: string,
	groups: readonly TickGroup<T>[] | Promise<readonly TickGroup<T>[]>,
): Promise<readonly T[]> {
	const shown = Promise.resolve(groups).then(tickRows);
	const options = {
		title: visible(title),
		placeHolder: visible(placeHolder),
		canPickMany: true,
		matchOnDescription: true,
		ignoreFocusOut: true,
	} as const;
	const chosen = await vscode.window.showQuickPick<TickRow<T>>(shown, options);
	if (!chosen) {
		throw cancelled();
	}
	return chosen.flatMap(({ tick }) => (tick ? [tick.value] : []));
}

/** A row of a list with checkboxes; a separator has no tick. */
export interface TickRow<T> extends vscode.QuickPickItem {
	readonly tick?: { readonly value: T };
}

/** The groups as rows below their headings. Omits empty groups. */
export function tickRows<T>(groups: readonly TickGroup<T>[]): readonly TickRow<T>[] {
	return groups.flatMap(({ heading, choices }): readonly TickRow<T>[] => {
		const separator = { label: withoutPictures(heading), kind: vscode.QuickPickItemKind.Separator };
		const rows = choices.map((choice) => ({
			...asText(choice),
			picked: choice.picked,
			tick: { value: choice.value },
		}));
		return choices.length === 0 ? [] : [separator, ...rows];
	});
}

/** Escapes icon syntax in a choice. */
export function asText<T>(choice: Choice<T>): Choice<T> {
	const { label, description, detail } = choice;
	return {
		...choice,
		label: withoutPictures(label),
		...(description === undefined ? {} : { description: withoutPictures(description) }),
		...(detail === undefined ? {} : { detail: withoutPictures(detail) }),
	};
}

export interface Question {
	readonly title: string;
	readonly prompt?: string;
	readonly placeHolder?: string;
	readonly value?: string;
	/** Earlier input: the answer if valid, otherwise the initial text. */
	readonly typed?: string;
	readonly password?: boolean;
	/** Reason why a value is invalid, as a sentence. */
	readonly complaint?: (value: string) => string | undefined;
}

/**
 * Asks for a line of text, unless the earlier input is valid. Throws `cancelled()` if the user closes the box. Prompt
 * and complaint never become links or icons. `token` closes the box.
 */
export async function askFor(question: Question, token?: vscode.CancellationToken): Promise<string> {
	const { complaint, prompt, typed, ...options } = question;
	const before = typed?.trim() ?? '';
	if (before !== '' && complaint?.(before) === undefined) {
		return before;
	}
	const complain = (text: string): string | undefined => {
		const sentence = complaint?.(text);
		return sentence === undefined ? undefined : plainUnderBox(sentence);
	};
	const shown: vscode.InputBoxOptions = {
		...options,
		title: visible(options.title),
		...(before === '' ? {} : { value: before }),
		ignoreFocusOut: true,
		...(prompt === undefined ? {} : { prompt: plainUnderBox(prompt) }),
		...(complaint ? { validateInput: complain } : {}),
	};
	const value = await vscode.window.showInputBox(shown, token);
	if (value === undefined) {
		throw cancelled();
	}
	// A password may begin or end with a blank.
	return question.password === true ? value : value.trim();
}
