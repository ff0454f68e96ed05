import type { Commit, TreeEntry } from 'sourcehut/port/repository.ts';
import { compareLimits, compareTrees } from 'patchmail/git/compareTrees.ts';
import { limitedReads, searchBudget, type HistorySource, type LimitedReads } from './historyReads.ts';
import { entryKind, entryNamed, nameOf } from '../repositoryEntries.ts';

/** Limits of one step; after it, the user has to ask for more. */
export interface HistoryLimits {
	readonly requests: number;
	readonly commits: number;
}

export const historyLimits: HistoryLimits = { requests: 60, commits: 2000 };

/** Trees to prefetch. */
const ahead = 8;
/** Commits to visit for the prefetch. */
const mostMet = 64;

/** An earlier location of a file or folder. */
export interface StoodAt {
	readonly path: string;
	readonly entry: TreeEntry;
}

/** A commit that changed the path. */
export interface HistoryEntry {
	readonly commit: Commit;
	/** Id of the parent to compare with; `undefined` for a root commit. */
	readonly parent: string | undefined;
	/** `undefined` for a new entry. After a rename, its path differs from the path of `after`. */
	readonly before: StoodAt | undefined;
	/** `undefined` for a deleted entry. */
	readonly after: StoodAt | undefined;
}

interface Cursor {
	readonly commit: string;
	readonly steps: readonly string[];
}

/** The history of one path, read step by step. */
export type FileHistory = ReturnType<typeof fileHistory>;

/**
 * First-parent history of a file or folder, from commits and trees alone. Lists the same commits as `git log
 * --first-parent -- path`: each one whose entry differs from its parent's in id or mode. When `git diff-tree -M100%`
 * would report a rename, the history continues under the old path. Otherwise it continues under the same path, because
 * the file may have existed there before. Doesn't follow renamed folders. `start`: full id of the newest commit, and a
 * non-empty path.
 */
export function fileHistory(source: HistorySource, start: Cursor, limits: HistoryLimits) {
	const entries: HistoryEntry[] = [];
	const visited = new Set<string>();
	let cursor: Cursor | undefined = start;

	async function step({ commit: id, steps }: Cursor, reads: LimitedReads, signal: AbortSignal): Promise<void> {
		const commit = await reads.commit(id, signal);
		const [parentId] = commit.parents;
		const parent = parentId === undefined ? undefined : await reads.commit(parentId, signal);
		const entry = await entryOf({ commit, parent, steps }, reads, signal);
		visited.add(id);
		if (entry) {
			entries.push(entry);
		}
		// A cycle means a broken or hostile server: stop.
		const next = parentId === undefined || visited.has(parentId) ? undefined : parentId;
		cursor = next === undefined ? undefined : { commit: next, steps: entry?.before?.path.split('/') ?? steps };
	}

	/** The walk needs every root tree on the way, so read the trees of known commits in parallel. */
	async function readAhead(from: string, reads: LimitedReads, signal: AbortSignal): Promise<void> {
		const trees = new Set<string>();
		let commit = source.knownCommit(from);
		// The two limits cover commits with equal trees and cycles from a hostile server.
		for (let met = 0; commit && trees.size < ahead && met < mostMet; met += 1) {
			trees.add(commit.tree);
			commit = source.knownCommit(commit.parents[0] ?? '');
		}
		const missing = await Promise.all(
			Array.from(trees, async (tree) => ((await source.keptTree(tree)) ? undefined : tree)),
		);
		const wanted = missing.filter((tree) => tree !== undefined).slice(0, reads.left());
		await Promise.all(wanted.map((tree) => reads.tree(tree, signal)));
	}

	return {
		/** Newest first. */
		entries: (): readonly HistoryEntry[] => entries,
		/** Visited commits in all steps. */
		commits: () => visited.size,
		/** False while older commits remain. */
		isWhole: () => cursor === undefined,
		/** Continues until a limit. Results found before an abort or error remain. */
		async lookOn(signal: AbortSignal, changed: () => void) {
			const reads = limitedReads(source, searchBudget(limits.requests));
			try {
				for (let looked = 0; cursor && looked < limits.commits; looked += 1) {
					signal.throwIfAborted();
					if (looked % ahead === 0) {
						await readAhead(cursor.commit, reads, signal);
					}
					await step(cursor, reads, signal);
					changed();
				}
			} catch (error) {
				if (!reads.isSpent() || signal.aborted) {
					throw error;
				}
			}
		},
	};
}

/** A commit and its first parent. */
interface Pair {
	readonly commit: Commit;
	readonly parent: Commit | undefined;
}

/** `undefined` when the commit doesn't change the path. */
async function entryOf(
	{ commit, parent, steps }: Pair & { readonly steps: readonly string[] },
	reads: LimitedReads,
	signal: AbortSignal,
): Promise<HistoryEntry | undefined> {
	const looked = await bothAt({ steps, before: parent?.tree, after: commit.tree }, reads, signal);
	if (!looked) {
		return undefined;
	}
	const path = steps.join('/');
	const { before, after } = looked;
	const isNewFile = after !== undefined && !isFolder(after) && (before === undefined || isFolder(before));
	const moved = isNewFile ? await movedFrom(path, { commit, parent }, reads, signal) : undefined;
	return {
		commit,
		parent: parent?.id,
		before: moved ?? (before && { path, entry: before }),
		after: after && { path, entry: after },
	};
}

interface TwoTrees {
	readonly steps: readonly string[];
	readonly before: string | undefined;
	readonly after: string | undefined;
}

interface Looked {
	readonly before: TreeEntry | undefined;
	readonly after: TreeEntry | undefined;
}

/** Entries at a path in two trees; `undefined` when equal. Descends only while the ids differ. */
async function bothAt(
	{ steps, before, after }: TwoTrees,
	reads: LimitedReads,
	signal: AbortSignal,
): Promise<Looked | undefined> {
	let ids: readonly (string | undefined)[] = [before, after];
	let found: readonly (TreeEntry | undefined)[] = [];
	for (const step of steps) {
		if (ids[0] === ids[1]) {
			return undefined;
		}
		const trees = await Promise.all(ids.map(async (id) => (id === undefined ? undefined : reads.tree(id, signal))));
		found = trees.map((tree) => tree && entryNamed(tree, step));
		ids = found.map((entry) => (entry && isFolder(entry) ? entry.id : undefined));
	}
	const [was, is] = found;
	return was?.id === is?.id && was?.mode === is?.mode ? undefined : { before: was, after: is };
}

/** The old path of a renamed file with the same content. */
async function movedFrom(
	path: string,
	{ commit, parent }: Pair,
	reads: LimitedReads,
	signal: AbortSignal,
): Promise<StoodAt | undefined> {
	if (!parent) {
		return undefined;
	}
	const read = reads.tree.bind(reads);
	const limits = { ...compareLimits, inFlight: ahead };
	const { changes } = await compareTrees(parent.tree, commit.tree, read, limits, signal);
	const change = changes.find((each) => each.kind === 'renamed' && each.after.path === path);
	if (change?.kind !== 'renamed') {
		return undefined;
	}
	const { id, mode } = change.before;
	return { path: change.before.path, entry: { id, mode, name: nameOf(change.before.path), type: 'blob' } };
}

function isFolder(entry: TreeEntry): boolean {
	return entryKind(entry) === 'folder';
}
