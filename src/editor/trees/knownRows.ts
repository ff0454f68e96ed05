import type { TreeNode } from './treeNode.ts';

/** A row as the editor knows it, its newest look, and the reading that last brought it. */
interface KnownRow {
	readonly known: TreeNode;
	latest: TreeNode;
	reading: number;
	isGiven: boolean;
}

/** The rows of a view by their ids: the object that the editor knows each by, and its newest look. */
export interface KnownRows {
	/** Its newest look; `undefined` for a row that was never read, or is forgotten. */
	find(id: string): TreeNode | undefined;
	/** The object by which the editor knows the row, which is this one unless an earlier one was given. */
	known(row: TreeNode): TreeNode;
	/** The newest look of a row. */
	latest(row: TreeNode): TreeNode;
	/** A row was read. Answers the object by which the editor knows it. */
	met(row: TreeNode): TreeNode;
	/** A row has another look. False for one that was never read, or is forgotten: that one is left alone. */
	changed(row: TreeNode): boolean;
	/** The editor was given these rows, and can be told to reveal them. */
	given(rows: readonly TreeNode[]): void;
	isGiven(id: string): boolean;
	/** The top is read anew. Answers the ids of rows to which none of the last two readings led: they are forgotten. */
	begin(): readonly string[];
}

export function knownRows(): KnownRows {
	const rows = new Map<string, KnownRow>();
	let reading = 0;
	return {
		find: (id) => rows.get(id)?.latest,
		known: (row) => rows.get(row.id)?.known ?? row,
		latest: (row) => rows.get(row.id)?.latest ?? row,
		met(row) {
			const entry = rows.get(row.id);
			if (entry) {
				entry.latest = row;
				entry.reading = reading;
				return entry.known;
			}
			rows.set(row.id, { known: row, latest: row, reading, isGiven: false });
			return row;
		},
		changed(row) {
			const entry = rows.get(row.id);
			if (entry) {
				entry.latest = row;
			}
			return entry !== undefined;
		},
		given(given) {
			for (const { id } of given) {
				const entry = rows.get(id);
				if (entry) {
					entry.isGiven = true;
					// Given once more from an earlier reading, it is as well known as if it had been read again.
					entry.reading = reading;
				}
			}
		},
		isGiven: (id) => rows.get(id)?.isGiven === true,
		begin() {
			reading += 1;
			const gone = Array.from(rows)
				.filter(([, entry]) => entry.reading < reading - 2)
				.map(([id]) => id);
			gone.forEach((id) => rows.delete(id));
			return gone;
		},
	};
}
