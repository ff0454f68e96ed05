import type { Tree, TreeEntry } from 'sourcehut/port/repository.ts';
import { entryKind, isSafeName, joined } from './repositoryEntries.ts';

/** A walk beyond these limits reports `leftOut`. */
export interface WalkLimits {
	readonly depth: number;
	/** Includes entries with invalid names; otherwise a tree of only those would never end. */
	readonly entries: number;
	/** Concurrent tree reads. */
	readonly inFlight: number;
}

export const walkLimits: WalkLimits = { depth: 64, entries: 100_000, inFlight: 64 };

/** One step of a walk. Each folder arrives once, in the order of the responses. */
export type WalkStep =
	/** Entries with valid names only. */
	| { readonly kind: 'folder'; readonly path: string; readonly entries: readonly TreeEntry[] }
	/** Incomplete: too deep, too many entries, or entries that the server omits. */
	| { readonly kind: 'leftOut'; readonly why: 'tooDeep' | 'tooMany' | 'incomplete' };

type ReadTree = (id: string, signal: AbortSignal) => Promise<Tree>;

interface Folder {
	readonly path: string;
	readonly id: string;
	readonly depth: number;
}

interface Arrived {
	readonly folder: Folder;
	readonly tree: Tree;
}

/**
 * Walks a tree recursively. Reports links and submodules without following them. Fails on the first unreadable tree.
 * Ending the iteration aborts reads in progress.
 */
export async function* walkTree(
	start: { readonly path: string; readonly tree: Tree },
	read: ReadTree,
	limits: WalkLimits,
	signal: AbortSignal,
): AsyncGenerator<WalkStep, void, undefined> {
	const ending = new AbortController();
	const mostEntries = limits.entries - start.tree.entries.length;
	const trees = readAhead(read, limits.inFlight, mostEntries, AbortSignal.any([signal, ending.signal]));
	let left = limits.entries;
	let isTooDeep = false;
	try {
		let next: Arrived | undefined = { folder: { path: start.path, id: start.tree.id, depth: 0 }, tree: start.tree };
		for (; next; next = await trees.next()) {
			const { folder, tree } = next;
			const entries = safeEntries(tree, left);
			const isCut = tree.entries.length > left;
			left -= tree.entries.length;
			for (const entry of entries.filter((each) => entryKind(each) === 'folder')) {
				const below = { path: joined(folder.path, entry.name), id: entry.id, depth: folder.depth + 1 };
				isTooDeep ||= below.depth > limits.depth;
				if (below.depth <= limits.depth) {
					trees.want(below);
				}
			}
			yield { kind: 'folder', path: folder.path, entries };
			if (isCut) {
				yield { kind: 'leftOut', why: 'tooMany' };
				return;
			}
		}
		if (isTooDeep) {
			yield { kind: 'leftOut', why: 'tooDeep' };
		}
	} finally {
		ending.abort();
	}
}

/** Entries with valid names among the first `most`. Of duplicate names, only the first can be opened. */
function safeEntries({ entries }: Tree, most: number): readonly TreeEntry[] {
	const names = new Set<string>();
	const safe: TreeEntry[] = [];
	for (const entry of entries.slice(0, most)) {
		if (!names.has(entry.name) && isSafeName(entry.name)) {
			names.add(entry.name);
			safe.push(entry);
		}
	}
	return safe;
}

/**
 * Reads trees in request order with limited concurrency. Discards responses after `mostEntries`: the walk ends at the
 * first entry beyond this number.
 */
function readAhead(read: ReadTree, inFlight: number, mostEntries: number, signal: AbortSignal) {
	const full = new AbortController();
	const reading = AbortSignal.any([signal, full.signal]);
	const wanted: Folder[] = [];
	/** Unconsumed responses only: a walk may be long, so consumed ones must become garbage. */
	let arrived: Arrived[] = [];
	let nextWanted = 0;
	let nextArrived = 0;
	let running = 0;
	let entriesRead = 0;
	let failure: { readonly error: unknown } | undefined;
	let wake = Promise.withResolvers<void>();

	async function fetch(folder: Folder): Promise<void> {
		running += 1;
		try {
			const tree = await read(folder.id, reading);
			if (!full.signal.aborted) {
				arrived.push({ folder, tree });
				entriesRead += tree.entries.length;
			}
			if (entriesRead > mostEntries) {
				// Responses still in flight would stay in memory until the walk ends.
				full.abort();
			}
		} catch (error) {
			if (!full.signal.aborted) {
				failure ??= { error };
			}
		}
		running -= 1;
		wake.resolve();
	}

	function launch(): void {
		for (
			let folder = wanted[nextWanted];
			folder && running < inFlight && !full.signal.aborted;
			folder = wanted[nextWanted]
		) {
			nextWanted += 1;
			void fetch(folder);
		}
	}

	return {
		want: (folder: Folder): void => void wanted.push(folder),
		/** Next response; `undefined` after the last. Rejects with the error of a failed read. */
		async next() {
			for (;;) {
				launch();
				if (failure) {
					throw failure.error;
				}
				const tree = arrived[nextArrived];
				if (tree) {
					nextArrived += 1;
					return tree;
				}
				arrived = [];
				nextArrived = 0;
				if (running === 0) {
					return undefined;
				}
				wake = Promise.withResolvers();
				await wake.promise;
			}
		},
	};
}
