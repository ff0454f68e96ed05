import type { Commit, TreeEntry } from '../../../forge/repository.ts';
import { compareLimits, compareTrees } from '../../../git/compareTrees.ts';
import { limitedReads, searchBudget, type HistorySource, type LimitedReads } from './historyReads.ts';
import { entryKind, entryNamed, nameOf } from '../repositoryEntries.ts';

/** How far one look into a history goes before somebody has to want more. */
export interface HistoryLimits {
	readonly requests: number;
	readonly commits: number;
}

export const historyLimits: HistoryLimits = { requests: 60, commits: 2000 };

/** Trees that are asked for ahead of their turn. */
const ahead = 8;
/** Commits that are looked at for those. */
const mostMet = 64;

/** What stood at a path. */
export interface StoodAt {
	readonly path: string;
	readonly entry: TreeEntry;
}

/** A commit that changed the path. */
export interface HistoryEntry {
	readonly commit: Commit;
	/** Id of the commit that it is compared with; `undefined` for a commit without parents. */
	readonly parent: string | undefined;
	/** `undefined` where it is new. Another path than that of `after` where it was moved. */
	readonly before: StoodAt | undefined;
	/** `undefined` where it is gone. */
	readonly after: StoodAt | undefined;
}

export interface FileHistoryParts {
	readonly source: HistorySource;
	/** Full id of the commit at which the history begins, and a path that is not empty. */
	readonly start: { readonly commit: string; readonly steps: readonly string[] };
	readonly limits: HistoryLimits;
}

/** The history of one path, read piece by piece. */
export interface FileHistory {
	/** Newest first. */
	entries(): readonly HistoryEntry[];
	/** Commits that were looked at, in all looks. */
	commits(): number;
	/** False as long as there are older commits that were not looked at. */
	isWhole(): boolean;
	/** Looks on until the limits are reached. What was found stays found when this is given up or fails. */
	lookOn(signal: AbortSignal, tell: () => void): Promise<void>;
}

interface Cursor {
	readonly commit: string;
	readonly steps: readonly string[];
}

/**
 * The commits that changed what stands at a path, file or folder, from commits and trees alone: going from first parent to
 * first parent, each whose entry at the path differs from its parent's in id or mode, which is what
 * `git log --first-parent -- path` lists. Where a file appears at a commit and `git diff-tree -M100%` says that it was moved
 * there, the history goes on under the old path; otherwise it goes on under the same, for it may have stood there before.
 * Folders are not followed when they move.
 */
export function fileHistory({ source, start, limits }: FileHistoryParts): FileHistory {
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
		// A commit cannot be its own ancestor; a server that says so is not followed round and round.
		const next = parentId === undefined || visited.has(parentId) ? undefined : parentId;
		cursor = next === undefined ? undefined : { commit: next, steps: entry?.before?.path.split('/') ?? steps };
	}

	/** Every root on the way is needed, so those of the commits that are known are read side by side. */
	async function readAhead(from: string, reads: LimitedReads, signal: AbortSignal): Promise<void> {
		const trees = new Set<string>();
		let commit = source.knownCommit(from);
		// Many commits may have one tree, and a server may lead from parent to parent round and round.
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
		entries: () => entries,
		commits: () => visited.size,
		isWhole: () => cursor === undefined,
		async lookOn(signal, tell) {
			const reads = limitedReads(source, searchBudget(limits.requests));
			try {
				for (let looked = 0; cursor && looked < limits.commits; looked += 1) {
					signal.throwIfAborted();
					if (looked % ahead === 0) {
						await readAhead(cursor.commit, reads, signal);
					}
					await step(cursor, reads, signal);
					tell();
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

/** What a commit changed at a path; `undefined` when it is the same as before. */
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
	const moved = isNewFile(looked) ? await movedFrom(path, { commit, parent }, reads, signal) : undefined;
	return {
		commit,
		parent: parent?.id,
		before: moved ?? (looked.before && { path, entry: looked.before }),
		after: looked.after && { path, entry: looked.after },
	};
}

function isNewFile({ before, after }: Looked): boolean {
	return after !== undefined && !isFolder(after) && (before === undefined || isFolder(before));
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

/** What stands at a path in two trees; `undefined` when that is the same. Reads only where the ids still differ. */
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

/** Where a file that is new at its path stood before, with the same content. */
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
	const { changes } = await compareTrees({ before: parent.tree, after: commit.tree, read, limits }, signal);
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
