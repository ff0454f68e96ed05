import * as vscode from 'vscode';
import type { RepositoryRef } from '../../../forge/port/repository.ts';
import type { EntryPlace } from '../subjects/place.ts';
import { placeOfUri } from '../subjects/placeUri.ts';
import type { ReferenceSubject } from '../subjects/subjects.ts';

/** A tab that shows a file of a repository. */
export interface OpenFile {
	readonly tab: vscode.Tab;
	readonly place: EntryPlace;
}

/** A workspace folder that is a folder of a repository. */
export interface OpenFolder {
	readonly folder: vscode.WorkspaceFolder;
	readonly place: EntryPlace;
}

/** Files of repositories that are open in tabs of their own, in all groups. */
export function openFiles(): readonly OpenFile[] {
	return vscode.window.tabGroups.all.flatMap(({ tabs }) =>
		tabs.flatMap((tab) => {
			const place = entryOf(uriOfTab(tab));
			return place ? [{ tab, place }] : [];
		}),
	);
}

/** The file of a repository that is in front. */
export function fileInFront(): EntryPlace | undefined {
	return entryOf(uriOfTab(vscode.window.tabGroups.activeTabGroup?.activeTab));
}

/** Folders of repositories that are in the workspace, in its order. */
export function openFolders(): readonly OpenFolder[] {
	return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
		const place = entryOf(folder.uri);
		return place ? [{ folder, place }] : [];
	});
}

/** The revision that a person looks at: that of the file in front, or of the only repository in the workspace. */
export function openRevision(): ReferenceSubject | undefined {
	const [folder, ...others] = openFolders();
	const place = fileInFront() ?? (others.length === 0 ? folder?.place : undefined);
	return place && { kind: 'reference', connectionKey: place.connectionKey, ref: place.ref, revision: place.at.ref };
}

/** True if the place is in the repository and, if given, at the revision. */
export function isOf(
	place: EntryPlace,
	connectionKey: string,
	{ ref: { owner, name }, revision }: { readonly ref: RepositoryRef; readonly revision?: string },
): boolean {
	return (
		place.connectionKey === connectionKey &&
		place.ref.owner === owner &&
		place.ref.name === name &&
		(revision === undefined || place.at.ref === revision)
	);
}

function entryOf(uri: vscode.Uri | undefined): EntryPlace | undefined {
	const place = uri && placeOfUri(uri);
	return place?.kind === 'entry' ? place : undefined;
}

function uriOfTab(tab: vscode.Tab | undefined): vscode.Uri | undefined {
	const input: unknown = tab?.input;
	return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
}
