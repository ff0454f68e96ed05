import type { TreeEntry } from '../../forge/repository.ts';
import type { LimitedReads } from '../repositories/history/historyReads.ts';
import { entryKind, entryNamed } from '../repositories/repositoryEntries.ts';

/** A path that is looked up, step by step. */
export interface SteppedPath {
	readonly path: string;
	readonly steps: readonly string[];
}

/** What stands at these paths below a tree, by path. Each tree is read once; links and submodules are never followed. */
export async function entriesAt(
	reads: Pick<LimitedReads, 'tree'>,
	root: string,
	paths: readonly SteppedPath[],
	signal: AbortSignal,
): Promise<ReadonlyMap<string, TreeEntry>> {
	const found = new Map<string, TreeEntry>();

	async function look(id: string, below: readonly SteppedPath[], depth: number): Promise<void> {
		const tree = await reads.tree(id, signal);
		const byName = Map.groupBy(below, ({ steps }) => steps[depth] ?? '');
		const folders: Promise<void>[] = [];
		for (const [name, wanted] of byName) {
			const entry = entryNamed(tree, name);
			if (!entry) {
				continue;
			}
			const deeper = wanted.filter(({ steps }) => steps.length > depth + 1);
			if (entryKind(entry) === 'folder' && deeper.length > 0) {
				folders.push(look(entry.id, deeper, depth + 1));
			}
			for (const { path, steps } of wanted) {
				if (steps.length === depth + 1) {
					found.set(path, entry);
				}
			}
		}
		await Promise.all(folders);
	}

	if (paths.length > 0) {
		await look(root, paths, 0);
	}
	return found;
}
