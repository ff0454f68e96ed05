import type { TreeNode } from './treeNode.ts';

/** The rows below one row, or at the top. */
export interface ReadRows {
	/** Id of the row above; `undefined` is the top. */
	readonly above: string | undefined;
	readonly rows: readonly TreeNode[];
	/** Counts readings: of two the one that began later knows more. */
	readonly begun: number;
}

/**
 * Expanded rows, and their children loaded in advance for the editor's next request. The editor drops rows at a change
 * event and recovers them with the answer; in between, menus and keys on those rows do nothing. So the answer must be
 * immediate.
 */
export interface RowsAhead {
	/** The editor requested children, so the row is expanded. Returns prefetched children. */
	asked(id: string | undefined): readonly TreeNode[] | undefined;
	isUnfolded(id: string | undefined): boolean;
	/** True if children are prefetched. */
	isReady(id: string): boolean;
	unfold(id: string): void;
	fold(id: string): void;
	/** Stores the prefetched children of a row and of its expanded descendants, in that order. */
	put(branch: readonly ReadRows[]): void;
	/** Drops prefetched children of a row, or all. */
	drop(id: string | undefined): void;
	/** The row is gone. */
	forget(id: string): void;
}

/** `above` returns the id of a row's parent. */
export function rowsAhead(above: (id: string) => string | undefined): RowsAhead {
	const unfolded = new Set<string | undefined>();
	const ready = new Map<string | undefined, ReadRows>();

	function isWithin(id: string | undefined, top: string | undefined): boolean {
		for (let at = id; at !== top; at = above(at)) {
			if (at === undefined) {
				return false;
			}
		}
		return true;
	}

	/** Children of a collapsed row are invisible, even expanded ones. */
	function isUnfolded(id: string | undefined): boolean {
		return unfolded.has(id) && (id === undefined || isUnfolded(above(id)));
	}

	function drop(top: string | undefined, begunBefore: number): void {
		for (const [id, { begun }] of ready) {
			if (begun < begunBefore && isWithin(id, top)) {
				ready.delete(id);
			}
		}
	}

	return {
		asked(id) {
			unfolded.add(id);
			return ready.get(id)?.rows;
		},
		isUnfolded,
		isReady: (id) => ready.has(id),
		unfold: (id) => void unfolded.add(id),
		fold(id) {
			unfolded.delete(id);
			drop(id, Infinity);
		},
		put(branch) {
			const [first] = branch;
			if (first) {
				drop(first.above, first.begun);
			}
			for (const each of branch) {
				if ((ready.get(each.above)?.begun ?? 0) < each.begun) {
					ready.set(each.above, each);
				}
			}
		},
		drop: (id) => drop(id, Infinity),
		forget(id) {
			unfolded.delete(id);
			ready.delete(id);
		},
	};
}
