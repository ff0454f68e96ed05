import * as vscode from 'vscode';
import { isRecord } from '../editor/subjects.ts';

/** The schemes whose addresses carry the account in their authority. */
const ours = new Set(['forge', 'forge-mail', 'forge-patch']);

/** Closes every document of an account that signs out: what it shows was read with that account's token. */
export async function closeDocuments(connectionKey: string): Promise<void> {
	const tabs = vscode.window.tabGroups.all
		.flatMap((group) => group.tabs)
		.filter(({ input }) => addressesOf(input).some((uri) => isOf(uri, connectionKey)));
	if (tabs.length > 0) {
		await vscode.window.tabGroups.close(tabs, true);
	}
}

type Address = Pick<vscode.Uri, 'scheme' | 'authority'>;

function isOf({ scheme, authority }: Address, connectionKey: string): boolean {
	return ours.has(scheme) && authority === connectionKey;
}

/** All that a tab shows: one document, two sides, or the sides of many files. */
function addressesOf(input: unknown): readonly Address[] {
	if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
		return [input.uri];
	}
	if (input instanceof vscode.TabInputTextDiff) {
		return [input.original, input.modified];
	}
	// The editor hands out what many files in one tab are, but its typings have no class for it yet.
	const many = isRecord(input) ? input['textDiffs'] : undefined;
	return Array.isArray(many) ? many.flatMap((diff: unknown) => sidesOf(diff)) : [];
}

function sidesOf(diff: unknown): readonly Address[] {
	return isRecord(diff) ? [diff['original'], diff['modified']].filter(isAddress) : [];
}

function isAddress(side: unknown): side is Address {
	return isRecord(side) && typeof side['scheme'] === 'string' && typeof side['authority'] === 'string';
}
