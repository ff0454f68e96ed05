import type { GrepMatch } from '../../../localGit/grepOutput.ts';
import type { HardenedGit } from '../../../localGit/hardenedGit.ts';
import { searchInClone, type CloneQuery } from '../../../localGit/searchInClone.ts';
import type { OpenClone } from './openClones.ts';

/**
 * Searches the files of a commit in a clone, without asking the forge; see `searchInClone` for its limits and failures.
 * Whoever stops reading ends it.
 */
export type SearchClone = (
	clone: Pick<OpenClone, 'root'>,
	query: CloneQuery,
	signal: AbortSignal,
) => AsyncIterable<GrepMatch>;

export function searchClone(git: HardenedGit): SearchClone {
	return (clone, query, signal) => searchInClone(git, clone.root.fsPath, query, signal);
}
