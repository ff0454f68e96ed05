import type { TreeEntry } from '../forge/repository.ts';

/** What stood or stands at a path: never a folder. */
export interface Leaf {
	readonly path: string;
	readonly id: string;
	/** Unix file mode, as 33188. */
	readonly mode: number;
}

/** What is different at one path between two trees, in the words of `git diff-tree -r -M100%`. */
export type TreeChange =
	| { readonly kind: 'added'; readonly after: Leaf }
	| { readonly kind: 'deleted'; readonly before: Leaf }
	/** Another content, another mode, or both. */
	| { readonly kind: 'modified'; readonly before: Leaf; readonly after: Leaf }
	/** A file became a link or a submodule, or the other way round. */
	| { readonly kind: 'typeChanged'; readonly before: Leaf; readonly after: Leaf }
	/** The same content under another path; nothing is guessed from likeness. */
	| { readonly kind: 'renamed'; readonly before: Leaf; readonly after: Leaf };

const typeBits = 0o170000;
const regularMode = 0o100000;

/** Of a file mode what tells files, links and submodules apart. */
export function modeType(mode: number): number {
	return mode & typeBits;
}

/** True for files, whether they can be run or not; false for links and submodules. */
export function isRegular({ mode }: Leaf): boolean {
	return modeType(mode) === regularMode;
}

export function leafOf(path: string, { id, mode }: Pick<TreeEntry, 'id' | 'mode'>): Leaf {
	return { path, id, mode };
}

/** Where a change is found now; where something is gone, where it stood. */
export function pathOfChange(change: TreeChange): string {
	return change.kind === 'deleted' ? change.before.path : change.after.path;
}
