import * as vscode from 'vscode';
import { tabAddresses, type TabAddress } from '../../editor/links/tabAddresses.ts';

/** The schemes whose addresses carry the account in their authority. */
const ours = new Set(['forge', 'forge-mail', 'forge-patch']);

/** Closes every document of an account that signs out: what it shows was read with that account's token. */
export async function closeDocuments(connectionKey: string): Promise<void> {
	const tabs = vscode.window.tabGroups.all
		.flatMap((group) => group.tabs)
		.filter(({ input }) => tabAddresses(input).some((uri) => isOf(uri, connectionKey)));
	if (tabs.length > 0) {
		await vscode.window.tabGroups.close(tabs, true);
	}
}

function isOf({ scheme, authority }: TabAddress, connectionKey: string): boolean {
	return ours.has(scheme) && authority === connectionKey;
}
