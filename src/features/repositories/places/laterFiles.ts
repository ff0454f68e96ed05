import * as v from 'valibot';
import * as vscode from 'vscode';
import { type KeptText, goodOf, keptIn } from '../../../store/shared/keptText.ts';
import { uriOfPlace } from '../subjects/placeUri.ts';
import { openFolders } from './openPlaces.ts';
import type { EntryPlace } from '../subjects/place.ts';

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
				await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(uri, true), { preview: false });
			}
		},
	};
}
