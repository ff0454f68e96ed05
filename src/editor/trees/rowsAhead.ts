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
 * immediate. `above` returns the id of a row's parent.
 */
export function rowsAhead(above: (id: string) => string | undefined) {
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
		/** The editor requested children, so the row is expanded. Returns prefetched children. */
		asked(id: string | undefined) {
			unfolded.add(id);
			return ready.get(id)?.rows;
		},
		isUnfolded,
		/** True if children are prefetched. */
		isReady: (id: string) => ready.has(id),
		unfold: (id: string): void => void unfolded.add(id),
		fold(id: string) {
			unfolded.delete(id);
			drop(id, Infinity);
		},
		/** Stores the prefetched children of a row and of its expanded descendants, in that order. */
		put(branch: readonly ReadRows[]) {
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
		/** Drops prefetched children of a row, or all. */
		drop: (id: string | undefined) => drop(id, Infinity),
		/** The row is gone. */
		forget(id: string) {
			unfolded.delete(id);
			ready.delete(id);
		},
	};
}
