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
 * Which rows are unfolded, and what was read below them for the editor's next question: when it last asked, or before it
 * hears of a change. The editor drops rows the moment that it hears of one and knows them again once it was answered;
 * until then a menu or a key on such a row means nothing. So it has to be answered at once.
 */
export interface RowsAhead {
	/** The editor asks for what is below a row, so that row is unfolded. Answers what was read for it. */
	asked(id: string | undefined): readonly TreeNode[] | undefined;
	isUnfolded(id: string | undefined): boolean;
	/** Whether what is below a row was read for the next question. */
	isReady(id: string): boolean;
	unfold(id: string): void;
	fold(id: string): void;
	/** A row and what is unfolded below it were read, that row first. */
	put(branch: readonly ReadRows[]): void;
	/** What was read below a row, or everything, is no longer true. */
	drop(id: string | undefined): void;
	/** The row is gone. */
	forget(id: string): void;
}

/** `above` answers the id of the row that a row hangs under. */
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

	/** What is unfolded below a folded row is not to be seen. */
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
