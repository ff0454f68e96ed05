import * as vscode from 'vscode';
import { isRecord } from '../commands/subjects.ts';

/** All that the tabs of this window show. */
export function openAddresses(): readonly vscode.Uri[] {
	return vscode.window.tabGroups.all.flatMap((group) => group.tabs).flatMap(({ input }) => tabAddresses(input));
}

/** Closes matching tabs without moving the focus. */
export async function closeTabs(isClosed: (address: vscode.Uri) => boolean): Promise<void> {
	const tabs = vscode.window.tabGroups.all
		.flatMap((group) => group.tabs)
		.filter(({ input }) => tabAddresses(input).some(isClosed));
	if (tabs.length > 0) {
		await vscode.window.tabGroups.close(tabs, true);
	}
}

/** All addresses in a tab: one document, two sides, or the sides of many files. `input`: the editor's object. */
export function tabAddresses(input: unknown): readonly vscode.Uri[] {
	if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
		return [input.uri];
	}
	if (input instanceof vscode.TabInputTextDiff) {
		return [input.original, input.modified];
	}
	// Tabs with many files have no class in the typings yet.
	const many = isRecord(input) ? input['textDiffs'] : undefined;
	return Array.isArray(many)
		? many.flatMap((diff: unknown) => (isRecord(diff) ? [diff['original'], diff['modified']].filter(isAddress) : []))
		: [];
}

/** Equal for equal addresses. */
export function addressKey({ scheme, authority, path, query }: vscode.Uri): string {
	return JSON.stringify([scheme, authority, path, query]);
}

function isAddress(side: unknown): side is vscode.Uri {
	const parts = isRecord(side) ? [side['scheme'], side['authority'], side['path'], side['query']] : [undefined];
	return parts.every((part) => typeof part === 'string');
}
