import * as vscode from 'vscode';

/** The document's own address, or the repository of a commit message box. */
export function folderOfDocument({ uri, isUntitled }: vscode.TextDocument): vscode.Uri | undefined {
	if (uri.scheme === 'vscode-scm') {
		const root = new URLSearchParams(uri.query).get('rootUri');
		return root === null ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.parse(root, true);
	}
	return isUntitled ? vscode.workspace.workspaceFolders?.[0]?.uri : uri;
}
