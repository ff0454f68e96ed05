import * as vscode from 'vscode';
import { unlessMissing } from '../../../forge/isAway.ts';
import type { Connection } from '../../../state/connection.ts';
import { isBlob } from '../../../state/repositories/repositoryEntries.ts';
import { uriOfPlace } from '../subjects/placeUri.ts';
import { shownName } from '../subjects/words.ts';
import { openFiles, type OpenFile, type OpenFolder } from './openPlaces.ts';
import type { EntryPlace } from '../subjects/place.ts';

/** Where something that is open goes. */
export type NewPlace = (place: EntryPlace) => EntryPlace;

/** Opens files at their new places and closes the tabs of the old ones. Files that are not there stay as they are. */
export async function moveFiles(
	{ repositories }: Connection,
	files: readonly OpenFile[],
	to: NewPlace,
	signal: AbortSignal,
): Promise<{ readonly stayed: readonly OpenFile[] }> {
	const stayed: OpenFile[] = [];
	for (const file of files) {
		const place = to(file.place);
		if (await isThere(repositories, place, signal)) {
			await reopen(file, uriOfPlace(place));
		} else {
			stayed.push(file);
		}
	}
	return { stayed };
}

async function isThere(
	repositories: Connection['repositories'],
	{ ref, at }: EntryPlace,
	signal: AbortSignal,
): Promise<boolean> {
	const found = await unlessMissing(repositories.find(ref, at, signal));
	return found?.kind === 'entry' && isBlob(found.entry);
}

/** In the same group and, where it is shown, at the same line. */
async function reopen({ tab, place }: OpenFile, uri: vscode.Uri): Promise<void> {
	const old = uriOfPlace(place).toString();
	const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === old);
	await vscode.commands.executeCommand('vscode.open', uri, {
		viewColumn: tab.group.viewColumn,
		preview: tab.isPreview,
		preserveFocus: !tab.isActive,
		...(shown && { selection: shown.selection }),
	});
	// A preview was taken for the new one, and its tab is gone; the others are known by new tabs once something changed.
	const left = openFiles().filter((open) => uriOfPlace(open.place).toString() === old);
	const same = left.filter((open) => open.tab.group.viewColumn === tab.group.viewColumn);
	await vscode.window.tabGroups.close(
		same.map((open) => open.tab),
		true,
	);
}

/**
 * Puts a folder in the place of another one. A window that has no workspace of several folders would become one, and in
 * a browser it would come back empty; there the whole window opens the other folder. Comes last in whatever it belongs to:
 * the editor may end this very program for it and start it anew.
 */
export async function replaceFolder({ folder }: OpenFolder, place: EntryPlace): Promise<'done' | 'refused'> {
	const uri = uriOfPlace(place);
	const open = vscode.workspace.workspaceFolders ?? [];
	if (open.some((each) => each.uri.toString() === uri.toString())) {
		await vscode.commands.executeCommand('revealInExplorer', uri);
		return 'done';
	}
	if (isSingleFolderWindow()) {
		await vscode.commands.executeCommand('vscode.openFolder', uri, { forceReuseWindow: true });
		return 'done';
	}
	return vscode.workspace.updateWorkspaceFolders(folder.index, 1, folderAt(place)) ? 'done' : 'refused';
}

/** The same for several at once: the editor takes no second change before it has told of the first. */
export async function replaceFolders(moving: readonly OpenFolder[], to: NewPlace): Promise<'done' | 'refused'> {
	const [first, ...more] = moving;
	if (!first || more.length === 0) {
		return first ? replaceFolder(first, to(first.place)) : 'done';
	}
	const start = first.folder.index;
	const count = moving.reduce((end, { folder }) => Math.max(end, folder.index + 1), start) - start;
	const placeOf = new Map(moving.map(({ folder, place }) => [folder.index, to(place)]));
	const open = vscode.workspace.workspaceFolders ?? [];
	const staying = new Set(open.filter(({ index }) => !placeOf.has(index)).map(({ uri }) => uri.toString()));
	const next = open.slice(start, start + count).flatMap(({ uri, name, index }) => {
		const place = placeOf.get(index);
		const there = place ? folderAt(place) : { uri, name };
		// One that is open under the new name already is there once.
		return place && staying.has(there.uri.toString()) ? [] : [there];
	});
	return vscode.workspace.updateWorkspaceFolders(start, count, ...next) ? 'done' : 'refused';
}

function folderAt(place: EntryPlace): { readonly uri: vscode.Uri; readonly name: string } {
	return { uri: uriOfPlace(place), name: `${shownName(place.ref.name)} · ${shownName(place.at.ref)}` };
}

/** True for a window that is opened on one folder alone, and whose tabs another folder does not take over. */
export function isSingleFolderWindow(): boolean {
	return vscode.workspace.workspaceFile === undefined && vscode.workspace.workspaceFolders?.length === 1;
}
