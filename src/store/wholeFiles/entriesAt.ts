import type { Commit, TreeEntry } from '../../forge/port/repository.ts';
import type { LimitedReads } from '../repositories/history/historyReads.ts';
import { entryKind, entryNamed, stepsOf } from '../repositories/repositoryEntries.ts';
import { walkLimits } from '../repositories/repositoryWalk.ts';

/** A path with its segments. */
export interface SteppedPath {
	readonly path: string;
	readonly steps: readonly string[];
}

/** Path segments; empty for an invalid path. */
export function stepped({ path }: { readonly path: string }): readonly SteppedPath[] {
	const steps = stepsOf(path, walkLimits.depth);
	return steps && steps.length > 0 ? [{ path, steps }] : [];
}

/**
 * Entries by path at a commit; omits missing paths. Doesn't follow links or submodules. Cached trees are free. A forge
 * that resolves paths gets one query for the rest; otherwise each missing tree costs one read.
 */
export async function entriesAt(
	reads: Pick<LimitedReads, 'tree' | 'keptTree' | 'entries'>,
	commit: Pick<Commit, 'id' | 'tree'>,
	paths: readonly SteppedPath[],
	signal: AbortSignal,
): Promise<ReadonlyMap<string, TreeEntry | 'unread'>> {
	const found = new Map<string, TreeEntry | 'unread'>();
	const { entries } = reads;
	/** Paths below uncached trees. */
	const asked: SteppedPath[] = [];

	async function look(id: string, below: readonly SteppedPath[], depth: number): Promise<void> {
		const tree = entries ? await reads.keptTree(id) : await reads.tree(id, signal);
		if (!tree) {
			asked.push(...below);
			return;
		}
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
		await look(commit.tree, paths, 0);
	}
	if (entries && asked.length > 0) {
		const told = await entries(
			commit.id,
			asked.map(({ path }) => path),
			signal,
		);
		told.forEach((entry, path) => found.set(path, entry));
	}
	return found;
}
