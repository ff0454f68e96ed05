import { Buffer } from 'node:buffer';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { TreeEntry } from './treeBytes.ts';

const typeBits = 0o170000;

const regularMode = 0o100000;

/** Limits of a comparison. */
export interface CompareLimits {
	/** Maximum folder depth. */
	readonly depth: number;
	/** Maximum tree visits. Counts cached trees and repeated visits at other paths. */
	readonly trees: number;
	/** Maximum entries of all trees. Bounds memory. */
	readonly entries: number;
	readonly changes: number;
	/** Maximum concurrent reads. */
	readonly inFlight: number;
}

export const compareLimits: CompareLimits = {
	depth: 64,
	trees: 20_000,
	entries: 150_000,
	changes: 100_000,
	inFlight: 64,
};

export interface Comparison {
	/** By path, with renames. */
	readonly changes: readonly TreeChange[];
	/** Why the changes may be incomplete; `undefined` if complete. */
	readonly leftOut: 'tooDeep' | 'tooMany' | undefined;
	/** Count of skipped entries: invalid or duplicate names. */
	readonly refused: number;
}

interface Tree {
	readonly entries: readonly TreeEntry[];
}

type ReadTree = (id: string, signal: AbortSignal) => Promise<Tree>;

/** Folders of one path, with different ids. */
interface Pair {
	readonly path: string;
	readonly depth: number;
	readonly before: string | undefined;
	readonly after: string | undefined;
}

/**
 * Compares two trees by their ids, `undefined` for the empty tree, by reading only trees: folders with different ids, each once, so the number of requests is
 * minimal. Does not follow links and submodules.
 */
export async function compareTrees(
	before: string | undefined,
	after: string | undefined,
	read: ReadTree,
	limits: CompareLimits,
	signal: AbortSignal,
): Promise<Comparison> {
	const ending = new AbortController();
	const trees = readOnce(read, limits, AbortSignal.any([signal, ending.signal]));
	const changes: TreeChange[] = [];
	let leftOut: Comparison['leftOut'];
	let refused = 0;
	try {
		let level: readonly Pair[] = before === after ? [] : [{ path: '', depth: 0, before, after }];
		while (level.length > 0) {
			signal.throwIfAborted();
			const fitting = level.filter(({ depth }) => depth <= limits.depth);
			if (fitting.length < level.length) {
				leftOut = 'tooDeep';
			}
			const next: Pair[] = [];
			const compared = await trees.pairs(fitting);
			if (compared.length < fitting.length) {
				leftOut = 'tooMany';
			}
			for (const [pair, one, other] of compared) {
				const found = compareFolder(pair, one, other);
				refused += found.refused;
				pushAll(next, found.below);
				pushAll(changes, found.changes);
			}
			if (changes.length > limits.changes) {
				leftOut = 'tooMany';
				changes.length = limits.changes;
				break;
			}
			level = next;
		}
	} finally {
		ending.abort();
	}
	// Git detects renames in path order too. Among several identical targets, the same one becomes the rename.
	return { changes: inPathOrder(withExactRenames(inPathOrder(changes))), leftOut, refused };
}

/** In byte order, like git. */
function inPathOrder(changes: readonly TreeChange[]): readonly TreeChange[] {
	return changes
		.map((change) => ({
			change,
			bytes: Buffer.from(change.kind === 'deleted' ? change.before.path : change.after.path),
		}))
		.toSorted((one, other) => Buffer.compare(one.bytes, other.bytes))
		.map(({ change }) => change);
}

interface FolderComparison {
	readonly changes: readonly TreeChange[];
	readonly below: readonly Pair[];
	readonly refused: number;
}

function compareFolder(pair: Pair, one: Tree | undefined, other: Tree | undefined): FolderComparison {
	const before = named(one);
	const after = named(other);
	const changes: TreeChange[] = [];
	const below: Pair[] = [];
	for (const name of new Set([...before.entries.keys(), ...after.entries.keys()])) {
		const path = pair.path === '' ? name : `${pair.path}/${name}`;
		const [was, is] = [before.entries.get(name), after.entries.get(name)];
		const [wasFolder, isFolder] = [folder(was), folder(is)];
		if (wasFolder?.id !== isFolder?.id) {
			below.push({ path, depth: pair.depth + 1, before: wasFolder?.id, after: isFolder?.id });
		}
		const change = leafChange(path, wasFolder ? undefined : was, isFolder ? undefined : is);
		if (change) {
			changes.push(change);
		}
	}
	return { changes, below, refused: before.refused + after.refused };
}

function folder(entry: TreeEntry | undefined): TreeEntry | undefined {
	return entry?.type === 'tree' ? entry : undefined;
}

function leafChange(path: string, was: TreeEntry | undefined, is: TreeEntry | undefined): TreeChange | undefined {
	if (was && is) {
		if (was.id === is.id && was.mode === is.mode) {
			return undefined;
		}
		const kind = modeType(was.mode) === modeType(is.mode) ? 'modified' : 'typeChanged';
		return { kind, before: leafOf(path, was), after: leafOf(path, is) };
	}
	if (is) {
		return { kind: 'added', after: leafOf(path, is) };
	}
	return was && { kind: 'deleted', before: leafOf(path, was) };
}

interface Named {
	readonly entries: ReadonlyMap<string, TreeEntry>;
	readonly refused: number;
}

/** Keeps the first of duplicate names. Counts and skips invalid names. */
function named(tree: Tree | undefined): Named {
	const entries = new Map<string, TreeEntry>();
	let refused = 0;
	for (const entry of tree?.entries ?? []) {
		const { name } = entry;
		const isName = name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);
		if (entries.has(name) || !isName) {
			refused += 1;
		} else {
			entries.set(entry.name, entry);
		}
	}
	return { entries, refused };
}

type ReadPair = readonly [Pair, Tree | undefined, Tree | undefined];

/** Reads each id once, with bounded concurrency. */
function readOnce(read: ReadTree, { trees, entries, inFlight }: CompareLimits, signal: AbortSignal) {
	const known = new Map<string, Tree>();
	/** Counts visits: a folder that contains itself needs no request, and still multiplies. */
	let lookedAt = 0;
	let entriesRead = 0;

	async function readAll(ids: readonly string[]): Promise<void> {
		if (entriesRead > entries) {
			// Skips folders below the last complete level.
			return;
		}
		const full = new AbortController();
		const reading = AbortSignal.any([signal, full.signal]);
		let next = 0;
		const reader = async (): Promise<void> => {
			for (let id = ids[next]; id !== undefined && !full.signal.aborted; id = ids[next]) {
				next += 1;
				const tree = await read(id, reading);
				entriesRead += tree.entries.length;
				if (entriesRead > entries) {
					// Pending reads would exceed the memory limit.
					full.abort();
				} else {
					known.set(id, tree);
				}
			}
		};
		const readers = Array.from({ length: Math.min(inFlight, ids.length) }, () =>
			reader().catch((error: unknown) => {
				if (!full.signal.aborted) {
					throw error;
				}
			}),
		);
		await Promise.all(readers);
		signal.throwIfAborted();
	}

	return {
		/** Trees of the pairs within the limits, in order. */
		async pairs(wanted: readonly Pair[]): Promise<readonly ReadPair[]> {
			const fitting: Pair[] = [];
			const ids = new Set<string>();
			for (const pair of wanted) {
				const own = sidesOf(pair);
				if (lookedAt + own.length > trees) {
					break;
				}
				lookedAt += own.length;
				own.filter((id) => !known.has(id)).forEach((id) => ids.add(id));
				fitting.push(pair);
			}
			await readAll([...ids]);
			const of = (id: string | undefined): Tree | undefined => (id === undefined ? undefined : known.get(id));
			const all = fitting.map((pair): ReadPair => [pair, of(pair.before), of(pair.after)]);
			// Unread trees would appear as deletions.
			return entriesRead > entries ? all.filter(([pair]) => sidesOf(pair).every((id) => known.has(id))) : all;
		},
	};
}

function sidesOf({ before, after }: Pair): readonly string[] {
	return [before, after].filter((id) => id !== undefined);
}

/**
 * Joins deletions and additions of the same content into renames, like `git diff-tree -M100%`. Uses each deleted path
 * once and prefers the same base name. Non-regular files must keep their mode. The choice among several candidates is
 * unspecified. Other changes keep their order.
 */
export function withExactRenames(changes: readonly TreeChange[]): readonly TreeChange[] {
	const sources = new Map<string, Sources>();
	for (const change of changes) {
		if (change.kind === 'deleted') {
			const key = keyOf(change.before);
			const known = sources.get(key) ?? new Sources();
			sources.set(key, known);
			known.add(change.before);
		}
	}
	const used = new Set<Leaf>();
	const joined = changes.map((change): TreeChange => {
		const before = change.kind === 'added' ? sources.get(keyOf(change.after))?.take(change.after.path) : undefined;
		if (change.kind !== 'added' || !before) {
			return change;
		}
		used.add(before);
		return { kind: 'renamed', before, after: change.after };
	});
	return joined.filter((change) => change.kind !== 'deleted' || !used.has(change.before));
}

/** Regular files match in any mode; links and submodules need the same mode. */
function keyOf(leaf: Leaf): string {
	return isRegular(leaf) ? leaf.id : `${leaf.id} ${leaf.mode}`;
}

/** Deleted paths with the same content. */
class Sources {
	readonly #left = new Set<Leaf>();
	readonly #byName = new Map<string, Set<Leaf>>();

	add(leaf: Leaf): void {
		const name = baseName(leaf.path);
		const alike = this.#byName.get(name) ?? new Set();
		this.#byName.set(name, alike.add(leaf));
		this.#left.add(leaf);
	}

	/** Removes and returns one path, preferably with the same base name. */
	take(path: string): Leaf | undefined {
		const [alike] = this.#byName.get(baseName(path)) ?? [];
		const [any] = this.#left;
		const taken = alike ?? any;
		if (taken) {
			this.#left.delete(taken);
			this.#byName.get(baseName(taken.path))?.delete(taken);
		}
		return taken;
	}
}

function baseName(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}

/** A file, link or submodule at a path. */
export interface Leaf {
	readonly path: string;
	readonly id: string;
	/** Unix file mode, such as 33188. */
	readonly mode: number;
}

/** A difference between two trees at one path, named like in `git diff-tree -r -M100%`. */
export type TreeChange =
	| { readonly kind: 'added'; readonly after: Leaf }
	| { readonly kind: 'deleted'; readonly before: Leaf }
	/** New content, new mode, or both. */
	| { readonly kind: 'modified'; readonly before: Leaf; readonly after: Leaf }
	/** A file became a link or submodule, or the reverse. */
	| { readonly kind: 'typeChanged'; readonly before: Leaf; readonly after: Leaf }
	/** Identical content under another path; never guessed from similarity. */
	| { readonly kind: 'renamed'; readonly before: Leaf; readonly after: Leaf };

/** File type bits: distinguish files, links and submodules. */
function modeType(mode: number): number {
	return mode & typeBits;
}

/** True for files, executable or not; false for links and submodules. */
export function isRegular({ mode }: Leaf): boolean {
	return modeType(mode) === regularMode;
}

function leafOf(path: string, { id, mode }: Pick<TreeEntry, 'id' | 'mode'>): Leaf {
	return { path, id, mode };
}
