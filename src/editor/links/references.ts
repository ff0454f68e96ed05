import type * as vscode from 'vscode';

/** Providers for references in editors and terminals. */
export interface References {
	readonly links: vscode.DocumentLinkProvider;
	readonly hovers: vscode.HoverProvider;
	readonly completions: vscode.CompletionItemProvider;
	readonly terminals: vscode.TerminalLinkProvider;
}
