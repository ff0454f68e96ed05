import * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifecycle.ts';
import { notify } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { RepositoryRef } from '../../../forge/repository.ts';
import { type Connection, type Connections, watchConnections } from '../../../state/connection.ts';
import type { LaterFiles } from '../places/laterFiles.ts';
import { isSingleFolderWindow, moveFiles, replaceFolders, type NewPlace } from '../places/movePlaces.ts';
import { isOf, openFiles, openFolders } from '../places/openPlaces.ts';
import { shownName } from '../subjects/words.ts';

export interface RenamedPlacesParts {
	readonly connections: Connections;
	readonly problems: Pick<Problems, 'show'>;
	readonly later: (connectionKey: string) => Pick<LaterFiles, 'keep'>;
}

/** Offers to reopen files and folders of a renamed repository under its new name, after a rename by anybody. */
export function renamedPlaces({ connections, problems, later }: RenamedPlacesParts): Disposable {
	const ending = new AbortController();

	async function offerMove(
		connection: Connection,
		{ from, to }: { readonly from: RepositoryRef; readonly to: RepositoryRef },
	): Promise<void> {
		const isOpen = (): number =>
			[...openFiles(), ...openFolders()].filter(({ place }) => isOf(place, connection.key, { ref: from })).length;
		if (isOpen() === 0) {
			return;
		}
		const move = vscode.l10n.t('Open Under the New Name');
		const told = await notify(
			'information',
			vscode.l10n.t(
				'{0} was renamed to {1}. Its open files and folders still have the old name.',
				shownName(refText(from)),
				shownName(refText(to)),
			),
			move,
		);
		if (told === move) {
			await moveAll(connection, from, (place) => ({ ...place, ref: to }));
		}
	}

	async function moveAll(connection: Connection, from: RepositoryRef, to: NewPlace): Promise<void> {
		const files = openFiles().filter(({ place }) => isOf(place, connection.key, { ref: from }));
		const folders = openFolders().filter(({ place }) => isOf(place, connection.key, { ref: from }));
		const [folder] = folders;
		if (folder && isSingleFolderWindow()) {
			await later(connection.key).keep(
				to(folder.place),
				files.map(({ place }) => to(place)),
			);
		} else {
			await moveFiles(connection, files, to, ending.signal);
		}
		if ((await replaceFolders(folders, to)) === 'refused') {
			void notify('error', vscode.l10n.t('The editor could not change the folders of the workspace. Try again.'));
		}
	}

	const watching = watchConnections(
		connections,
		(connection) => [
			connection.repositories.onDidChange((change) => {
				if (change.kind === 'renamed') {
					offerMove(connection, change).catch((error: unknown) => problems.show(error));
				}
			}),
		],
		() => undefined,
	);
	return {
		dispose() {
			ending.abort();
			watching.dispose();
		},
	};
}
