import type { TreeEntry } from '../forge/repository.ts';

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

const typeBits = 0o170000;
const regularMode = 0o100000;

/** File type bits: distinguish files, links and submodules. */
export function modeType(mode: number): number {
	return mode & typeBits;
}

/** True for files, executable or not; false for links and submodules. */
export function isRegular({ mode }: Leaf): boolean {
	return modeType(mode) === regularMode;
}

export function leafOf(path: string, { id, mode }: Pick<TreeEntry, 'id' | 'mode'>): Leaf {
	return { path, id, mode };
}

/** Current path; for a deletion, the old path. */
export function pathOfChange(change: TreeChange): string {
	return change.kind === 'deleted' ? change.before.path : change.after.path;
}
