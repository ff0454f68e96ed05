import * as vscode from 'vscode';

/**
 * The document with the cursor. With the cursor in a comment box or in a picture, which is no document, the one of the
 * active tab; of a diff its later side.
 */
export function addressInFront(): vscode.Uri | undefined {
	const { activeTextEditor, tabGroups } = vscode.window;
	const written = activeTextEditor?.document.uri;
	if (written && written.scheme !== 'comment') {
		return written;
	}
	const input: unknown = tabGroups.activeTabGroup?.activeTab?.input;
	if (input instanceof vscode.TabInputTextDiff) {
		return input.modified;
	}
	return input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? input.uri : undefined;
}
