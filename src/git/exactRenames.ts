import { isRegular, type Leaf, type TreeChange } from './treeChange.ts';

/**
 * Joins what was deleted and what was added with the same content to one renaming, as `git diff-tree -M100%` does: each
 * deleted path is used once, one of the same base name is preferred, and what is no regular file must keep its mode.
 * Which of several alike deleted paths is taken is not promised. The order of all other changes stays.
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

/** Files are alike whatever their mode; links and submodules only with the same one. */
function keyOf(leaf: Leaf): string {
	return isRegular(leaf) ? leaf.id : `${leaf.id} ${leaf.mode}`;
}

/** Deleted paths of one content. */
class Sources {
	readonly #left = new Set<Leaf>();
	readonly #byName = new Map<string, Set<Leaf>>();

	add(leaf: Leaf): void {
		const name = baseName(leaf.path);
		const alike = this.#byName.get(name) ?? new Set();
		this.#byName.set(name, alike.add(leaf));
		this.#left.add(leaf);
	}

	/** Removes and answers one, of the same base name if there is one. */
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
