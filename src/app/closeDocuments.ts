import * as vscode from 'vscode';

/** The schemes whose addresses carry the account in their authority. */
const ours = new Set(['forge', 'forge-mail']);

/** Closes every document of an account that signs out: what it shows was read with that account's token. */
export async function closeDocuments(connectionKey: string): Promise<void> {
	const tabs = vscode.window.tabGroups.all
		.flatMap((group) => group.tabs)
		.filter(({ input }) => isOf(input, connectionKey));
	if (tabs.length > 0) {
		await vscode.window.tabGroups.close(tabs, true);
	}
}

function isOf(input: unknown, connectionKey: string): boolean {
	return (
		(input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) &&
		ours.has(input.uri.scheme) &&
		input.uri.authority === connectionKey
	);
}
