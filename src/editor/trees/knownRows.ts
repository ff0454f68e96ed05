import type { TreeNode } from './treeNode.ts';

/** A row as the editor knows it, its newest look, and the reading that last brought it. */
interface KnownRow {
	readonly known: TreeNode;
	latest: TreeNode;
	reading: number;
	isGiven: boolean;
}

/** The rows of a view by their ids: the object that the editor knows each by, and its newest look. */
export type KnownRows = ReturnType<typeof knownRows>;

export function knownRows() {
	const rows = new Map<string, KnownRow>();
	let reading = 0;
	return {
		/** Its newest look; `undefined` for a row that was never read, or is forgotten. */
		find: (id: string) => rows.get(id)?.latest,
		/** The editor's object for a row: the first one passed with this id. */
		known: (row: TreeNode) => rows.get(row.id)?.known ?? row,
		/** The newest look of a row. */
		latest: (row: TreeNode) => rows.get(row.id)?.latest ?? row,
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
		/** Rows in an answer to the editor; it can reveal them now. */
		given(given: readonly TreeNode[]) {
			for (const { id } of given) {
				const entry = rows.get(id);
				if (entry) {
					entry.isGiven = true;
					// A repeated answer from an earlier load also keeps its rows known.
					entry.reading = reading;
				}
			}
		},
		isGiven: (id: string) => rows.get(id)?.isGiven === true,
		/** Starts a full reload. Returns the forgotten ids: rows missing in the last two loads. */
		begin(): readonly string[] {
			reading += 1;
			const gone = Array.from(rows)
				.filter(([, entry]) => entry.reading < reading - 2)
				.map(([id]) => id);
			gone.forEach((id) => rows.delete(id));
			return gone;
		},
	};
}
