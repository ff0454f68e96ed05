import { AsyncLocalStorage } from 'node:async_hooks';
import * as vscode from 'vscode';
import type { ViewId } from '../../commands/viewIds.ts';

/** A tree reports the two clicks of a double click separately. A second opening within this time is the second click. */
export const doubleClickMs = 500;

/** The view whose selected row opens something. Also set for all commands that the row's command runs. */
const selecting = new AsyncLocalStorage<ViewId>();

/** Runs the command of a row that the user only selected. The view keeps the keyboard, so that the next keys move on. */
export function openBySelection<T>(view: ViewId, open: () => T): T {
	return selecting.run(view, open);
}

/** True if the view keeps the keyboard. */
export function leavesKeyboard(): boolean {
	return selecting.getStore() !== undefined;
}

function withFocus(options: vscode.TextDocumentShowOptions): vscode.TextDocumentShowOptions {
	return leavesKeyboard() ? { ...options, preserveFocus: true } : options;
}

export function showDocument(
	document: vscode.TextDocument | vscode.Uri,
	options: vscode.TextDocumentShowOptions = {},
): Thenable<vscode.TextEditor> {
	const shown = withFocus(options);
	// The editor's two overloads accept no union.
	return 'uri' in document
		? vscode.window.showTextDocument(document, shown)
		: vscode.window.showTextDocument(document, shown);
}

/** A string goes to the editor unchanged: a parsed address would lose its escapes. */
export async function openUri(
	uri: vscode.Uri | string,
	options: vscode.TextDocumentShowOptions = {},
	title?: string,
): Promise<void> {
	const shown = withFocus(options);
	const rest = [...(title !== undefined || Object.keys(shown).length > 0 ? [shown] : []), title];
	await vscode.commands.executeCommand('vscode.open', uri, ...rest.filter((each) => each !== undefined));
}

export async function openDiff(
	before: vscode.Uri,
	after: vscode.Uri,
	title: string,
	options: vscode.TextDocumentShowOptions,
): Promise<void> {
	await vscode.commands.executeCommand('vscode.diff', before, after, title, withFocus(options));
}

/** The editor's multi-file diff always takes the keyboard, so the view takes it back. */
export async function openChanges(
	title: string,
	files: readonly (readonly (vscode.Uri | undefined)[])[],
): Promise<void> {
	await vscode.commands.executeCommand('vscode.changes', title, files);
	const view = selecting.getStore();
	if (view !== undefined) {
		await vscode.commands.executeCommand(`${view}.focus`);
	}
}
