import { isRegular, type Leaf, type TreeChange } from './treeChange.ts';

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
