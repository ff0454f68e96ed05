import * as vscode from 'vscode';
import { Disposables } from '../../../base/lifecycle.ts';
import { openAddresses } from '../../../editor/links/tabAddresses.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { OpenPlace, OpenWindow } from './openRevisions.ts';
import { placeOfUri } from '../subjects/placeUri.ts';

/** The window of the editor. */
export function openWindow(): OpenWindow {
	return {
		places,
		onDidChangePlaces(heard) {
			const subscriptions = new Disposables();
			subscriptions.add(vscode.workspace.onDidChangeWorkspaceFolders(heard));
			subscriptions.add(vscode.window.tabGroups.onDidChangeTabs(heard));
			return subscriptions;
		},
		presence: {
			isThere: () => vscode.window.state.focused,
			onDidChange: (heard) => vscode.window.onDidChangeWindowState(() => heard(undefined)),
		},
	};
}

function places(): readonly OpenPlace[] {
	const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
	const open = new Map<string, OpenPlace>();
	for (const address of [...folders, ...openAddresses()]) {
		const place = placeOfUri(address);
		if (place?.kind === 'entry') {
			const { connectionKey, ref, at } = place;
			const key = JSON.stringify([connectionKey, refText(ref), at.ref]);
			open.set(key, { connectionKey, ref, revision: at.ref });
		}
	}
	return Array.from(open.values());
}
