import * as vscode from 'vscode';
import { withoutPictures } from './notify.ts';

/** Thrown when a person closed a question: nothing happens, and nothing is shown. */
export function cancelled(): Error {
	return new DOMException('Cancelled by the user', 'AbortError');
}

/** One choice of a list; `value` is what choosing it means. */
export interface Choice<T> extends vscode.QuickPickItem {
	readonly value: T;
}

/**
 * Asks to choose one. Throws `cancelled()` when the list is closed. Choices may still be on their way; whatever they say is
 * text and never a picture.
 */
export async function choose<T>(
	title: string,
	choices: readonly Choice<T>[] | Promise<readonly Choice<T>[]>,
): Promise<T> {
	const shown = Promise.resolve(choices).then((all) => all.map(asText));
	const chosen = await vscode.window.showQuickPick(shown, {
		title,
		placeHolder: title,
		matchOnDescription: true,
		matchOnDetail: true,
		ignoreFocusOut: true,
	});
	if (!chosen) {
		throw cancelled();
	}
	return chosen.value;
}

function asText<T>(choice: Choice<T>): Choice<T> {
	const { label, description, detail } = choice;
	return {
		...choice,
		label: withoutPictures(label),
		...(description === undefined ? {} : { description: withoutPictures(description) }),
		...(detail === undefined ? {} : { detail: withoutPictures(detail) }),
	};
}

/** What a line of input is asked with. */
export interface Question {
	readonly title: string;
	readonly prompt?: string;
	readonly placeHolder?: string;
	readonly value?: string;
	readonly password?: boolean;
	/** A sentence when the value cannot be taken, `undefined` when it can. */
	readonly complaint?: (value: string) => string | undefined;
}

/** Asks for a line of text. Throws `cancelled()` when the box is closed. */
export async function askFor(question: Question): Promise<string> {
	const { complaint, ...options } = question;
	const value = await vscode.window.showInputBox({
		...options,
		ignoreFocusOut: true,
		...(complaint ? { validateInput: complaint } : {}),
	});
	if (value === undefined) {
		throw cancelled();
	}
	return value.trim();
}
