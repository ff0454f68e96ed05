import type { Tree, TreeEntry } from '../../forge/repository.ts';
import { entryKind, isSafeName, joined } from './repositoryEntries.ts';

/** How far a walk goes; beyond it says that it stopped. */
export interface WalkLimits {
	/** Folders within folders. */
	readonly depth: number;
	/** Entries in all; those that cannot be opened count, or a tree of nothing else would never end. */
	readonly entries: number;
	/** Trees asked for at the same time. */
	readonly inFlight: number;
}

export const walkLimits: WalkLimits = { depth: 64, entries: 100_000, inFlight: 64 };

/** What a walk meets. Folders come as they arrive, each once, those nearer to the start earlier if all are as fast. */
export type WalkStep =
	/** `entries` are those with a name that can be opened. */
	| { readonly kind: 'folder'; readonly path: string; readonly entries: readonly TreeEntry[] }
	/** There is more: folders deeper than the limit, entries beyond their number, or names that the server does not tell. */
	| { readonly kind: 'leftOut'; readonly why: 'tooDeep' | 'tooMany' | 'incomplete' };

interface Folder {
	readonly path: string;
	readonly id: string;
	readonly depth: number;
}

interface Arrived {
	readonly folder: Folder;
	readonly tree: Tree;
}

export interface WalkParts {
	readonly start: { readonly path: string; readonly tree: Tree };
	readonly read: (id: string, signal: AbortSignal) => Promise<Tree>;
	readonly limits: WalkLimits;
}

/**
 * Goes through a tree and everything below it. Links and submodules are met and never followed. Fails as soon as one
 * tree cannot be read, and gives up what is under way when nobody asks on.
 */
export async function* walkTree(
	{ start, read, limits }: WalkParts,
	signal: AbortSignal,
): AsyncGenerator<WalkStep, void, undefined> {
	const ending = new AbortController();
	const trees = readAhead(
		{ read, inFlight: limits.inFlight, mostEntries: limits.entries - start.tree.entries.length },
		AbortSignal.any([signal, ending.signal]),
	);
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

/** Of the first `most` entries those that can be opened; of entries with the same name only the first can. */
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

interface ReadAhead {
	want(folder: Folder): void;
	/** The next tree that has arrived; `undefined` when nothing is wanted any more. Throws what a read threw. */
	next(): Promise<Arrived | undefined>;
}

interface ReadAheadParts {
	readonly read: WalkParts['read'];
	readonly inFlight: number;
	/** The walk ends with the tree that has the first entry beyond them, so nothing that arrives later is taken. */
	readonly mostEntries: number;
}

/** Reads what is wanted, so many at a time, in the order in which it was wanted. */
function readAhead({ read, inFlight, mostEntries }: ReadAheadParts, signal: AbortSignal): ReadAhead {
	const full = new AbortController();
	const reading = AbortSignal.any([signal, full.signal]);
	const wanted: Folder[] = [];
	/** What nobody took yet; what was taken is let go, for a walk may be long. */
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
				// What is still on its way would have to be held until the walk comes to its end.
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
		want: (folder) => void wanted.push(folder),
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
