import type * as vscode from 'vscode';

/** What the editor asks when it shows or completes a text, in editors and in terminals. */
export interface References {
	readonly links: vscode.DocumentLinkProvider;
	readonly hovers: vscode.HoverProvider;
	readonly completions: vscode.CompletionItemProvider;
	readonly terminals: vscode.TerminalLinkProvider;
}
