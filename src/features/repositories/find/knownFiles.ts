import * as vscode from 'vscode';
import type { GoToName, GoToThing } from '../../../editor/links/goToThing.ts';
import { refText } from '../../../forge/namedRef.ts';
import { isSameRepository, ownRepositoryRef } from '../../../forge/repository.ts';
import { thingSource, type KnownThings } from '../../../search/rankThings.ts';
import type { Connection } from '../../../state/connection.ts';
import type { IndexedPath } from '../../../state/repositories/find/pathIndex.ts';
import { openFolders } from '../places/openPlaces.ts';
import type { EntryPlace } from '../subjects/place.ts';
import { shownName } from '../subjects/words.ts';
import type { FindParts } from './findParts.ts';

/** Repositories for Go to…, and the indexed files of mounted ones. */
export function knownFiles({
	connections,
	indexes,
	problems,
}: Pick<FindParts, 'connections' | 'indexes' | 'problems'>): KnownThings<GoToName, GoToThing> {
	/** Paths below mounted folders, by the folder's URI. */
	const read = new Map<string, readonly IndexedPath[]>();

	function mounted(): readonly { readonly uri: string; readonly place: EntryPlace; readonly connection: Connection }[] {
		return openFolders().flatMap(({ folder, place }) => {
			const connection = connections.byKey(place.connectionKey);
			return connection ? [{ uri: folder.uri.toString(), place, connection }] : [];
		});
	}

	async function learnPaths(signal: AbortSignal): Promise<void> {
		for (const { uri, place, connection } of mounted()) {
			// The index loads with the first search for a file name, so it may be empty.
			read.set(uri, (await indexes.of(connection, place.ref, place.at, signal)).entries);
		}
	}

	return {
		names() {
			const ofMounted = mounted().map(({ connection, place }) => ({ connection, ref: place.ref }));
			const others = connections.all().flatMap((connection) => {
				const { repositories, me } = connection;
				const own = repositories.knownOwnRepositories()?.items ?? [];
				const refs = [...own.map((each) => ownRepositoryRef(each, me)), ...repositories.followedRepositories()];
				return refs.map((ref) => ({ connection, ref }));
			});
			const all = [...ofMounted, ...others];
			return all
				.filter(
					({ connection, ref }, place) =>
						all.findIndex((other) => other.connection === connection && isSameRepository(other.ref, ref)) === place,
				)
				.map((each) => ({ ...each, kind: 'repository' }));
		},
		sources: () =>
			mounted().map(({ uri, place: { ref, at }, connection }) =>
				thingSource(
					read.get(uri) ?? [],
					{ text: ({ path, nameStart }) => `${path.slice(nameStart)} ${path}`, atMs: () => 0 },
					({ path }) => ({
						connection,
						to: { kind: 'file', ref, at: { ref: at.ref, path }, lines: undefined },
						label: '',
						text: `${shownName(path)} · ${shownName(refText(ref))}`,
						icon: vscode.ThemeIcon.File,
					}),
				),
			),
		learn(changed, signal) {
			const log = problems.log;
			for (const { repositories } of connections.all()) {
				repositories.ownRepositories(signal).then(changed, log);
			}
			learnPaths(signal).then(changed, log);
		},
	};
}
