import { Disposables } from '../../../base/lifecycle.ts';
import type { Feature } from '../../../editor/commands/feature.ts';
import type { TreeSource } from '../../../editor/trees/treeSource.ts';
import type { GoToName, GoToThing } from '../../../editor/links/goToThing.ts';
import type { KnownThings } from '../../../search/rankThings.ts';
import type { KeptText } from '../../../state/shared/keptText.ts';
import { PathIndexes } from '../../../state/repositories/find/pathIndexes.ts';
import type { FindSurroundings } from './findParts.ts';
import { knownFiles } from './knownFiles.ts';
import { goToFile } from './goToFile.ts';
import type { ChosenFile, FileSearch } from '../questions/fileSearch.ts';
import { recentFiles } from './recentFiles.ts';
import { resting } from '../../../base/timeSlice.ts';
import { searchCommands, type SearchParts } from './searchCommands.ts';
import { searchView } from './searchView.ts';

/** Finds files of repositories by name and by content. */
export interface FindFeature extends Feature {
	/** Search results. */
	readonly tree: TreeSource;
	readonly known: KnownThings<GoToName, GoToThing>;
	/** Asks for a file. Throws an abort on cancel. */
	readonly askFile: (where: FileSearch, signal: AbortSignal) => Promise<ChosenFile>;
}

export interface FindFeatureParts extends FindSurroundings {
	/** Storage for an account's recently opened files. */
	readonly recentFilesOf: (connectionKey: string) => KeptText;
}

/** `placeOf`: the place of a text search. */
export function findFeature(parts: FindFeatureParts, placeOf: SearchParts['placeOf']): FindFeature {
	const owned = new Disposables();
	const { connections, clock } = parts;
	const indexes = owned.add(new PathIndexes({ connections, resting: () => resting(clock) }));
	const recent = owned.add(recentFiles(parts.recentFilesOf));
	const results = owned.add(searchView(parts));
	const found = { ...parts, indexes, recent };
	return {
		tree: results.tree,
		known: knownFiles(found),
		commands: searchCommands({ ...found, results, placeOf }),
		askFile: (where, signal) => goToFile(found, where, signal),
		dispose: () => owned.dispose(),
	};
}
