import { foldersAbove } from '@forge-desk/base/foldersAbove.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { Commit, RepositoryRef, TreeEntry } from 'sourcehut/port/repository.ts';
import { submoduleBytes } from 'patchmail/git/submoduleBytes.ts';
import type { FileThere } from 'patchmail/patch/tryFile.ts';
import { historySource, limitedReads, type SearchBudget } from '../repositories/history/historyReads.ts';
import { entryKind, isBlob, joined, readEntry } from '../repositories/repositoryEntries.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import { entriesAt, stepped } from './logSearch.ts';
import { contentAt } from './forgeObjects.ts';

export interface CommitOnForge {
	readonly repositories: RepositoryStore;
	readonly ref: RepositoryRef;
	readonly commit: Pick<Commit, 'id' | 'tree'>;
}

/**
 * Looks up paths in a commit, reading each folder once, and returns a content reader. Cached objects are free. Invalid
 * paths are missing. Returns links as their target path and submodules like git diffs, following neither.
 */
export async function filesAtCommit(
	{ repositories, ref, commit }: CommitOnForge,
	paths: readonly string[],
	budget: SearchBudget,
	signal: AbortSignal,
): Promise<(path: string, signal: AbortSignal) => Promise<FileThere>> {
	// Disables path queries: folders must be listed too, so their trees are needed.
	const reads = limitedReads({ ...historySource(repositories, ref), entries: undefined }, budget);
	const steps = paths.flatMap((path) => stepped({ path }));
	const wanted = new Set(paths);
	const above = new Set(steps.flatMap(({ path }) => foldersAbove(path)));
	const stepsAbove = Array.from(above).flatMap((path) => stepped({ path }));
	const entries = await entriesAt(reads, commit, [...steps, ...stepsAbove], signal);
	const content = contentAt(repositories, ref);
	return async (path, reading) => {
		const entry = readEntry(entries.get(path));
		if (!entry) {
			const by = foldersAbove(path).find((folder) => {
				const above = readEntry(entries.get(folder));
				return above && !isFolder(above);
			});
			return by === undefined ? { kind: 'missing' } : notFile(wanted.has(by) ? [by] : undefined);
		}
		if (entryKind(entry) === 'submodule') {
			return { kind: 'file', content: submoduleBytes(entry.id), mode: '160000' };
		}
		return isBlob(entry)
			? {
					kind: 'file',
					content: await content(entry.id, { ref: commit.id, path }, budget, reading),
					// As in diffs.
					mode: entry.mode.toString(8).padStart(6, '0'),
				}
			: notFile(isFolder(entry) ? await filesBelow(path, entry.id, reading) : undefined);
	};

	/** All files of a folder, if every one is wanted. All trees on the way are then cached. */
	async function filesBelow(folder: string, id: string, reading: AbortSignal): Promise<readonly string[] | undefined> {
		if (!above.has(folder)) {
			return undefined;
		}
		const files: string[] = [];
		for (const entry of (await reads.tree(id, reading)).entries) {
			const path = joined(folder, entry.name);
			const isWanted = wanted.has(path);
			const below = isFolder(entry) ? await filesBelow(path, entry.id, reading) : isWanted ? [path] : undefined;
			if (!below) {
				return undefined;
			}
			pushAll(files, below);
		}
		return files;
	}
}

function isFolder(entry: TreeEntry): boolean {
	return entryKind(entry) === 'folder';
}

function notFile(inTheWay: readonly string[] | undefined): FileThere {
	return inTheWay ? { kind: 'notFile', inTheWay } : { kind: 'notFile' };
}
