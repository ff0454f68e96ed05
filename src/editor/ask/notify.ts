import * as vscode from 'vscode';
import { visible } from '../../text/visible.ts';

/** How long a passing word stays. */
const briefMs = 5000;

/** Behind all that stands at the left of the status bar, so that nothing moves when a word comes and goes. */
const lastPlace = Number.MIN_SAFE_INTEGER;

/** How a notice looks. */
export type Severity = 'information' | 'warning' | 'error';

/** So many letters surely fit into the line that the editor shows of a notice without a button. */
const shortNotice = 50;

/**
 * A notice in the corner of the window; answers the label of the action that was chosen, `undefined` when it was closed.
 * Every notice of the program comes through here, because the editor draws links in them, commands included, and a part
 * of the text may come from a forge. It cuts off what is longer than a line unless there is a button, so a warning or an
 * error has one then. With a button a notice stays until somebody closes it, so one that only informs is left without: it
 * asks nothing of anybody and leaves by itself, and its arrow shows the rest meanwhile.
 */
export async function notify(
	severity: Severity,
	message: string,
	...actions: readonly string[]
): Promise<string | undefined> {
	const isCutOff = actions.length === 0 && message.length > shortNotice;
	const buttons = isCutOff && severity !== 'information' ? [vscode.l10n.t('Close')] : actions;
	const chosen = await shownNotice(severity, withoutLinks(message), buttons);
	return actions.find((action) => action === chosen);
}

function shownNotice(severity: Severity, text: string, buttons: readonly string[]): Thenable<string | undefined> {
	switch (severity) {
		case 'information':
			return vscode.window.showInformationMessage(text, ...buttons);
		case 'warning':
			return vscode.window.showWarningMessage(text, ...buttons);
		case 'error':
			return vscode.window.showErrorMessage(text, ...buttons);
	}
}

/** A question that stands before everything else. True when `action` was chosen. */
export async function confirm(message: string, detail: string, action: string): Promise<boolean> {
	return (await vscode.window.showInformationMessage(withoutLinks(message), modal(detail), action)) === action;
}

/** The same for what cannot be undone: the editor's sign of a warning stands beside it. */
export async function confirmForGood(message: string, detail: string, action: string): Promise<boolean> {
	return (await vscode.window.showWarningMessage(withoutLinks(message), modal(detail), action)) === action;
}

function modal(detail: string): vscode.MessageOptions {
	return { modal: true, detail: withoutLinks(detail) };
}

/** A question with more lines than these is read by nobody. */
const mostNames = 12;

/** Names below each other, for a question that is about them. */
export function namesText(names: readonly string[]): string {
	const more = names.length - mostNames;
	return [...names.slice(0, mostNames), ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : [])].join('\n');
}

/** The passing word that is shown now; the next one takes its place. */
let passing: vscode.Disposable | undefined;

/**
 * A word in the status bar that goes away by itself, and that screen readers say without moving the focus. The editor's
 * own way, `setStatusBarMessage`, stands in a live region that is switched off; an item of an extension may have a role, and
 * one with the role `alert` is said when it comes. Each word is an item of its own, because the same word said twice
 * would change nothing that is shown.
 */
export function tellBriefly(message: string): void {
	passing?.dispose();
	const item = vscode.window.createStatusBarItem('forge.passing', vscode.StatusBarAlignment.Left, lastPlace);
	item.name = vscode.l10n.t('Forge Messages');
	item.text = withoutPictures(message);
	item.accessibilityInformation = { label: item.text, role: 'alert' };
	item.show();
	passing = item;
	setTimeout(() => {
		// The editor knows items by their name, so what ends an earlier one would end the one that is there.
		if (passing === item) {
			item.dispose();
			passing = undefined;
		}
	}, briefMs).unref();
}

/** A word joiner of ours between the signs of a link or a picture. */
const joiner = /(?<=[\]$])\u2060(?=\()/g;

/** Text of a line or a box, in which hidden characters are written out. */
function shown(text: string): string {
	return visible(text.replaceAll(joiner, ''));
}

/** Text that the editor draws no link in: a link needs `](`, and an invisible word joiner parts the two. */
export function withoutLinks(text: string): string {
	return shown(text).replaceAll('](', ']\u2060(');
}

/** Text that the editor draws no picture in, for a list or the status bar. */
export function withoutPictures(text: string): string {
	return shown(text).replaceAll('$(', '$\u2060(');
}

/** Text without either, for the line under a box: the editor draws both there, and follows links to commands. */
export function plainUnderBox(text: string): string {
	return shown(text).replaceAll(/[\]$](?=\()/g, '$&\u2060');
}
