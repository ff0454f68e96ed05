import * as vscode from 'vscode';
import type { Connections } from '../../../state/connection.ts';
import { entryKind } from '../../../state/repositories/repositoryEntries.ts';
import { kindText } from './entryRows.ts';
import { placeOfUri } from '../subjects/placeUri.ts';

/** A letter beside submodules, in our view and in the editor's own: they look like files, and are none. */
export function repositoryDecorations(connections: Connections): vscode.FileDecorationProvider {
	return {
		provideFileDecoration(uri) {
			const place = placeOfUri(uri);
			const repositories = connections.byKey(place?.connectionKey ?? '')?.repositories;
			const entry = place?.kind === 'entry' ? repositories?.knownEntry(place.ref, place.at) : undefined;
			return entry && entryKind(entry) === 'submodule'
				? new vscode.FileDecoration('S', kindText('submodule'))
				: undefined;
		},
	};
}
