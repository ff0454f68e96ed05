import * as vscode from 'vscode';
import { openUri } from '../../../editor/documents/showDocument.ts';
import { unlessMissing } from 'sourcehut/port/isAway.ts';
import type { Connection } from '../../../store/connection.ts';
import { isBlob } from '../../../store/repositories/repositoryEntries.ts';
import { uriOfPlace, type EntryPlace } from '../subjects/place.ts';
import { shownName } from '../subjects/words.ts';
import { openFiles, type OpenFile, type OpenFolder } from './openPlaces.ts';

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
		const found = await unlessMissing(repositories.folders.find(place.ref, place.at, signal));
		if (found?.kind === 'entry' && isBlob(found.entry)) {
			const uri = uriOfPlace(place);
			const old = uriOfPlace(file.place).toString();
			const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === old);
			await openUri(uri, {
				viewColumn: file.tab.group.viewColumn,
				preview: file.tab.isPreview,
				preserveFocus: !file.tab.isActive,
				...(shown && { selection: shown.selection }),
			});
			// The new editor replaced a preview tab. Other tabs have new objects after a change, so look them up again.
			const left = openFiles().filter((open) => uriOfPlace(open.place).toString() === old);
			const same = left.filter((open) => open.tab.group.viewColumn === file.tab.group.viewColumn);
			await vscode.window.tabGroups.close(
				same.map((open) => open.tab),
				true,
			);
		} else {
			stayed.push(file);
		}
	}
	return { stayed };
}

/**
 * Replaces a workspace folder. A window with a single folder instead opens the other folder as a whole: it would turn
 * into a multi-root workspace, which comes back empty in a browser. Call this last, because the editor may restart the
 * extension host.
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

/** Replaces several folders at once: the editor ignores a second change before the event of the first. */
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
		// Skip a folder that is already open under its new name.
		return place && staying.has(there.uri.toString()) ? [] : [there];
	});
	return vscode.workspace.updateWorkspaceFolders(start, count, ...next) ? 'done' : 'refused';
}

function folderAt(place: EntryPlace): { readonly uri: vscode.Uri; readonly name: string } {
	return { uri: uriOfPlace(place), name: `${shownName(place.ref.name)} · ${shownName(place.at.ref)}` };
}

/** True for a window on a single folder. Another folder doesn't take over its tabs. */
export function isSingleFolderWindow(): boolean {
	return vscode.workspace.workspaceFile === undefined && vscode.workspace.workspaceFolders?.length === 1;
}
