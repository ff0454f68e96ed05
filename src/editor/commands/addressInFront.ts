import * as vscode from 'vscode';

/** The document with the cursor. In front of a picture, which has no cursor, the picture. */
export function addressInFront(): vscode.Uri | undefined {
	const { activeTextEditor, tabGroups } = vscode.window;
	const input: unknown = tabGroups.activeTabGroup?.activeTab?.input;
	return activeTextEditor?.document.uri ?? (input instanceof vscode.TabInputCustom ? input.uri : undefined);
}
