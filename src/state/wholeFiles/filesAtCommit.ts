import type { Commit, RepositoryRef, TreeEntry } from '../../forge/repository.ts';
import { submoduleBytes } from '../../git/submoduleBytes.ts';
import type { FileThere } from '../../patch/tryFile.ts';
import { historySource, limitedReads, type SearchBudget } from '../repositories/history/historyReads.ts';
import { entryKind, isBlob } from '../repositories/repositoryEntries.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import { entriesAt } from './entriesAt.ts';
import { contentAt } from './forgeObjects.ts';
import { stepped } from './look.ts';

/** A commit of a repository on the forge. */
export interface CommitOnForge {
	readonly repositories: RepositoryStore;
	readonly ref: RepositoryRef;
	readonly commit: Pick<Commit, 'id' | 'tree'>;
}

/**
 * Looks these paths up in a commit, each folder once, and answers how to read what stands there. What is kept costs no
 * request of the budget. A path that no repository can have is missing; links are read as what they point to and never
 * followed, submodules as git's diffs have them.
 */
export async function filesAtCommit(
	{ repositories, ref, commit }: CommitOnForge,
	paths: readonly string[],
	budget: SearchBudget,
	signal: AbortSignal,
): Promise<(path: string, signal: AbortSignal) => Promise<FileThere>> {
	const reads = limitedReads(historySource(repositories, ref), budget);
	const steps = paths.flatMap((path) => stepped({ path }));
	const entries = await entriesAt(reads, commit.tree, steps, signal);
	const content = contentAt({ repositories, ref });
	return async (path, reading) => {
		const entry = entries.get(path);
		if (!entry) {
			return { kind: 'missing' };
		}
		if (entryKind(entry) === 'submodule') {
			return { kind: 'file', content: submoduleBytes(entry.id), mode: '160000' };
		}
		return isBlob(entry)
			? {
					kind: 'file',
					content: await content(entry.id, { ref: commit.id, path }, budget, reading),
					mode: octalMode(entry),
				}
			: { kind: 'notFile' };
	};
}

/** As diffs write it. */
function octalMode({ mode }: TreeEntry): string {
	return mode.toString(8).padStart(6, '0');
}
