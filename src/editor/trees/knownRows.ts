import type * as vscode from 'vscode';
import type { TreeNode } from './treeNode.ts';

/** A row as the editor knows it, its newest look, and the reading that last brought it. */
interface KnownRow {
	readonly known: TreeNode;
	latest: TreeNode;
	reading: number;
	isGiven: boolean;
	/** Rows below it as last shown; a failed reading takes none away. */
	below?: readonly TreeNode[];
}

/** The rows of a view by their ids: the object that the editor knows each by, and its newest look. */
export function knownRows() {
	const rows = new Map<string, KnownRow>();
	let reading = 0;
	let top: readonly TreeNode[] = [];
	/** Looks of the root rows as the editor received them. */
	const topLooks = new Map<string, string>();
	let topIds: readonly string[] | undefined;
	let isBelowGiven = false;
	const latest = (row: TreeNode): TreeNode => rows.get(row.id)?.latest ?? row;
	return {
		/** Its newest look; `undefined` for a row that was never read, or is forgotten. */
		find: (id: string) => rows.get(id)?.latest,
		/** The editor's object for a row: the first one passed with this id. */
		known: (row: TreeNode) => rows.get(row.id)?.known ?? row,
		/** The newest look of a row. */
		latest,
		/** Records a loaded row. Returns the editor's object for it. */
		met(row: TreeNode) {
			const entry = rows.get(row.id);
			if (entry) {
				entry.latest = row;
				entry.reading = reading;
				return entry.known;
			}
			rows.set(row.id, { known: row, latest: row, reading, isGiven: false });
			return row;
		},
		/** Records a new look of a row. False, without effect, for unknown and forgotten rows. */
		changed(row: TreeNode) {
			const entry = rows.get(row.id);
			if (entry) {
				entry.latest = row;
			}
			return entry !== undefined;
		},
		/** Records the rows below a row, or at the root. */
		show(above: string | undefined, below: readonly TreeNode[]) {
			const entry = above === undefined ? undefined : rows.get(above);
			if (entry) {
				entry.below = below;
			} else if (above === undefined) {
				top = below;
			}
		},
		/** Rows last shown below a row, or at the root, in their newest look. */
		shown: (above: string | undefined): readonly TreeNode[] =>
			(above === undefined ? top : (rows.get(above)?.below ?? [])).map(latest),
		/** Rows in an answer to the editor; it can reveal them now. */
		given(above: string | undefined, given: readonly TreeNode[]) {
			for (const { id } of given) {
				const entry = rows.get(id);
				if (entry) {
					entry.isGiven = true;
					// A repeated answer from an earlier load also keeps its rows known.
					entry.reading = reading;
				}
			}
			if (above === undefined) {
				topIds = given.map(({ id }) => id);
			} else {
				isBelowGiven = true;
				topLooks.clear();
			}
		},
		isGiven: (id: string) => rows.get(id)?.isGiven === true,
		/** The editor requested a row's look and received this. */
		drew({ id, parent }: TreeNode, item: vscode.TreeItem) {
			if (!parent && !isBelowGiven) {
				topLooks.set(id, JSON.stringify(item));
			}
			return item;
		},
		/**
		 * True if the root rows look as the editor received them and it never requested children. Then a full change
		 * needs no event. The event would make the editor drop all rows until the answer, and a row expanded at that
		 * moment would look empty.
		 */
		isTopAsGiven: (now: readonly TreeNode[], look: (row: TreeNode) => vscode.TreeItem) =>
			topIds?.length === now.length &&
			now.every((row, at) => row.id === topIds?.[at] && topLooks.get(row.id) === JSON.stringify(look(row))),
		/** Starts a full reload. Returns the forgotten ids: rows missing in the last two loads. */
		begin(): readonly string[] {
			reading += 1;
			const gone = Array.from(rows)
				.filter(([, entry]) => entry.reading < reading - 2)
				.map(([id]) => id);
			gone.forEach((id) => rows.delete(id));
			return gone;
		},
		/** Nothing was shown: another account may see other rows. */
		forgetShown() {
			top = [];
			rows.forEach((entry) => delete entry.below);
		},
	};
}
