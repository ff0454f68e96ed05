import * as vscode from 'vscode';
import { openUri } from '../../../editor/documents/showDocument.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { type EntryPlace, placeOfUri, uriOfPlace } from '../subjects/place.ts';
import type { ReferenceSubject } from '../subjects/subjects.ts';
import * as v from 'valibot';
import { type KeptText, goodOf, keptIn } from '../../../store/shared/keptText.ts';

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

/** More tabs would be unusable. */
const mostFiles = 50;

const filesOfFolder = v.object({ folder: v.string(), uris: goodOf(v.string()) });

/**
 * Files to reopen after the window changes its folder, for which the editor restarts the extension host. `kept` may
 * contain anything. It stores a single list: a window that doesn't open within a moment never will.
 */
export function laterFiles(kept: KeptText) {
	return {
		async keep(folder: EntryPlace, files: readonly EntryPlace[]) {
			const uris = files.slice(0, mostFiles).map((place) => uriOfPlace(place).toString());
			await kept.write(uris.length === 0 ? '' : JSON.stringify({ folder: uriOfPlace(folder).toString(), uris }));
		},
		/** Opens the files stored for this window's folder, once. */
		async open() {
			const { folder, uris } = keptIn(kept.read(), filesOfFolder, { folder: '', uris: [] });
			if (uris.length === 0 || !openFolders().some(({ place }) => uriOfPlace(place).toString() === folder)) {
				return;
			}
			await kept.write('');
			for (const uri of uris.slice(0, mostFiles).filter((each) => each.startsWith('forge:'))) {
				await openUri(vscode.Uri.parse(uri, true), { preview: false });
			}
		},
	};
}
