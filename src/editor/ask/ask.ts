import * as vscode from 'vscode';
import { visible } from '../../text/visible.ts';
import { plainUnderBox, withoutPictures } from './notify.ts';

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
 * text and never a picture. `placeHolder`: where the title is too long to be read twice.
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

/** One choice of a list in which several can be ticked. Separators stand for themselves and mean nothing. */
export interface TickChoice<T> extends Choice<T> {
	readonly picked: boolean;
}

/** A group of ticks under a heading. */
export interface TickGroup<T> {
	/** What the ticks of the group mean, in a few words. */
	readonly heading: string;
	readonly choices: readonly TickChoice<T>[];
}

/** Asks which of several are wanted; those that are `picked` are ticked from the start. Throws `cancelled()` when closed. */
export async function chooseSeveral<T>(
	title: string,
	placeHolder: string,
	groups: readonly TickGroup<T>[] | Promise<readonly TickGroup<T>[]>,
): Promise<readonly T[]> {
	const shown = Promise.resolve(groups).then((all) => all.flatMap(withHeading));
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

interface TickRow<T> extends vscode.QuickPickItem {
	readonly tick?: { readonly value: T };
}

function withHeading<T>({ heading, choices }: TickGroup<T>): readonly TickRow<T>[] {
	const separator: TickRow<T> = { label: withoutPictures(heading), kind: vscode.QuickPickItemKind.Separator };
	const rows = choices.map((choice) => ({ ...asText(choice), picked: choice.picked, tick: { value: choice.value } }));
	return choices.length === 0 ? [] : [separator, ...rows];
}

/** Whatever a choice says as text, never as a picture. */
export function asText<T>(choice: Choice<T>): Choice<T> {
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
	/** What was typed before the question came: the answer where it can be taken, else what the box begins with. */
	readonly typed?: string;
	readonly password?: boolean;
	/** A sentence when the value cannot be taken, `undefined` when it can. */
	readonly complaint?: (value: string) => string | undefined;
}

/**
 * Asks for a line of text, unless what was typed before is an answer. Throws `cancelled()` when the box is closed. Prompt
 * and complaint are text and never a link or a picture. `token` closes the box.
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
