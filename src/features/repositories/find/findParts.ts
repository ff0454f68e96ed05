import type { RepositoryRef } from '../../../forge/port/repository.ts';
import type { TextSearcher } from '../../../engine/search/texts/textSearcher.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PathIndexes } from '../../../store/repositories/find/pathIndexes.ts';
import type { CloneToSearch } from '../clones/cloneToSearch.ts';
import type { RepositoriesParts } from '../parts/repositoriesParts.ts';
import type { RecentFiles } from './recentFiles.ts';

export interface FindSurroundings extends RepositoriesParts {
	readonly searcher: TextSearcher;
	/** A clone of a repository that is open in this window. */
	readonly cloneOf: (
		connection: Connection,
		ref: RepositoryRef,
		signal: AbortSignal,
	) => Promise<CloneToSearch | undefined>;
}

export interface FindParts extends RepositoriesParts {
	readonly indexes: PathIndexes;
	readonly recent: RecentFiles;
}
