import * as vscode from 'vscode';
import type { Connections } from '../../../store/connection.ts';
import { entryKind, nameOf } from '../../../store/repositories/repositoryEntries.ts';
import { kindText } from './entryRows.ts';
import { placeOfUri } from '../subjects/placeUri.ts';
import { shownName } from '../subjects/words.ts';

/**
 * A badge for names with hidden characters, since the Explorer draws them raw, and a letter for submodules, since they look
 * like files.
 */
export function repositoryDecorations(connections: Connections): vscode.FileDecorationProvider {
	return {
		provideFileDecoration(uri) {
			const place = placeOfUri(uri);
			const name = place?.kind === 'entry' ? nameOf(place.at.path) : '';
			if (shownName(name) !== name) {
				return new vscode.FileDecoration(
					'⚠',
					vscode.l10n.t('The name contains hidden characters: {0}', shownName(name)),
					new vscode.ThemeColor('list.warningForeground'),
				);
			}
			const repositories = connections.byKey(place?.connectionKey ?? '')?.repositories;
			const entry = place?.kind === 'entry' ? repositories?.folders.knownEntry(place.ref, place.at) : undefined;
			return entry && entryKind(entry) === 'submodule'
				? new vscode.FileDecoration('S', kindText('submodule'))
				: undefined;
		},
	};
}
