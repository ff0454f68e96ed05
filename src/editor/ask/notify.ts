import * as vscode from 'vscode';
import { visible } from '../../engine/text/visible.ts';

/** How long a passing word stays. */
const briefMs = 5000;

/** Rightmost on the left side, so that the message moves no other item. */
const lastPlace = Number.MIN_SAFE_INTEGER;

/** How a notice looks. */
export type Severity = 'information' | 'warning' | 'error';

/** So many letters surely fit into the line that the editor shows of a notice without a button. */
const shortNotice = 50;

/**
 * Shows a notice and returns the chosen action, or `undefined` if the user closes it. All notices go through here: the
 * editor renders links in them, even to commands, and the text may include remote parts. The editor truncates a notice
 * without buttons to one line, so warnings and errors always get a button. A notice with a button stays until the user
 * closes it, so an information gets none and disappears; its arrow expands it.
 */
export async function notify(severity: Severity, message: string, ...actions: readonly string[]) {
	const isCutOff = actions.length === 0 && message.length > shortNotice;
	const buttons = isCutOff && severity !== 'information' ? [vscode.l10n.t('Close')] : actions;
	const chosen = await shownNotice(severity, withoutLinks(message), buttons);
	return actions.find((action) => action === chosen);
}

/** Shows a notice and runs its one action. A command doesn't await this: the notice may stay open for hours. */
export async function offer(severity: Severity, message: string, action: string, work: () => PromiseLike<unknown>) {
	if ((await notify(severity, message, action)) === action) {
		await work();
	}
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

/** Asks in a modal dialog. True if the user chose `action`. */
export async function confirm(message: string, detail: string, action: string): Promise<boolean> {
	return (await chooseAction(message, detail, action)) === action;
}

/** Asks in a modal dialog with several buttons. `undefined` if the user closes it. */
export async function chooseAction(message: string, detail: string, ...actions: readonly string[]) {
	return vscode.window.showInformationMessage(withoutLinks(message), modal(detail), ...actions);
}

/** The same for irreversible actions, with a warning icon. */
export async function confirmForGood(message: string, detail: string, action: string): Promise<boolean> {
	return (await vscode.window.showWarningMessage(withoutLinks(message), modal(detail), action)) === action;
}

function modal(detail: string): vscode.MessageOptions {
	return { modal: true, detail: withoutLinks(detail) };
}

/** Longer lists are unreadable in a question. */
const mostNames = 12;

/** Names below each other, for a question that is about them. */
export function namesText(names: readonly string[]): string {
	const more = names.length - mostNames;
	return [...names.slice(0, mostNames), ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : [])].join('\n');
}

/** The current message; the next one replaces it. */
let passing: vscode.Disposable | undefined;

/**
 * Shows a temporary message in the status bar, which screen readers announce without moving the focus. The editor's own
 * `setStatusBarMessage` uses a disabled live region; an extension's item can have the role `alert`, and its appearance
 * triggers the announcement. Each message is a new item, because an equal text would change nothing. A hidden status bar
 * makes it a notice.
 */
export function tellBriefly(message: string): void {
	if (vscode.workspace.getConfiguration('workbench').get('statusBar.visible') === false) {
		return void notify('information', message);
	}
	passing?.dispose();
	const item = vscode.window.createStatusBarItem('forge.passing', vscode.StatusBarAlignment.Left, lastPlace);
	item.name = vscode.l10n.t('Forge Messages');
	item.text = withoutPictures(message);
	item.accessibilityInformation = { label: item.text, role: 'alert' };
	item.show();
	passing = item;
	setTimeout(() => {
		// Items share an id, so disposing an old one would remove the current one.
		if (passing === item) {
			item.dispose();
			passing = undefined;
		}
	}, briefMs).unref();
}

/** A word joiner of ours between the signs of a link or a picture. */
const joiner = /(?<=[\]$])\u2060(?=\()/g;

/** Escapes hidden characters in a line or box. */
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
