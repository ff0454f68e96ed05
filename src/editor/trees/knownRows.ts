import type * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { TreeNode } from './treeNode.ts';

/** Rows that were read below one row, or at the root. */
export interface ReadRows {
	/** Id of the row above; `undefined` is the root. */
	readonly above: string | undefined;
	readonly rows: readonly TreeNode[];
	/** Number of changes before the reading. Of two readings, the one with more knows more. */
	readonly changes: number;
}

/** Requests that the editor draws together. */
interface Drawing {
	asking: number;
	answeredMs: number;
}

/** The rows below one row, or at the root. */
interface RowsBelow {
	isUnfolded: boolean;
	/** As last read; a failed reading takes none away. */
	shown: readonly TreeNode[];
	/** Ids in the last answer to the editor. */
	given: ReadonlySet<string>;
	/** Prefetched for the editor's next request. */
	ahead?: ReadRows | undefined;
}

interface KnownRow extends RowsBelow {
	/** The object that the editor knows: the first one passed with this id. */
	readonly known: TreeNode;
	latest: TreeNode;
	/** Number of the root reading that last brought the row. */
	reading: number;
	isGiven: boolean;
	/** First drawing of the row. */
	drawing?: Drawing | undefined;
	/** A root row's look as the editor received it. */
	look?: string;
}

/** Longer than a slow editor takes from the last answer until it has drawn the rows. */
export const drawingMs = 10_000;

const nothingBelow = { isUnfolded: false, shown: [], given: new Set<string>() };

/**
 * The rows of a view by id. The editor forces three rules:
 * - It identifies a row by its object, so a row keeps its first one.
 * - It drops the rows below a changed row until the answer; menus and keys on them do nothing meanwhile. So expanded
 *   rows are prefetched.
 * - It draws rows after it loaded all expanded descendants. An event for a row before its first drawing fails: the
 *   editor loses the change and shows no children until a full refresh. It reports no drawing, so estimate the time.
 */
export function knownRows(clock: Clock) {
	const root: RowsBelow = { ...nothingBelow };
	const rows = new Map<string, KnownRow>();
	let reading = 0;
	let isBelowGiven = false;

	/** An unknown row has nothing below it, and forgets what is recorded. */
	const below = (id: string | undefined): RowsBelow => (id === undefined ? root : rows.get(id)) ?? { ...nothingBelow };
	const latest = (row: TreeNode): TreeNode => rows.get(row.id)?.latest ?? row;
	const above = (id: string): string | undefined => rows.get(id)?.latest.parent?.id;

	function isWithin(id: string, top: string | undefined): boolean {
		const parent = id === top ? top : above(id);
		return parent === top || (parent !== undefined && isWithin(parent, top));
	}

	/** Children of a collapsed row are invisible, even expanded ones. */
	function isUnfolded(id: string | undefined): boolean {
		return below(id).isUnfolded && (id === undefined || isUnfolded(above(id)));
	}

	function drop(top: string | undefined, changesBefore = Infinity): void {
		for (const [id, row] of [[undefined, root] as const, ...rows]) {
			if (row.ahead && row.ahead.changes < changesBefore && (id === top || (id !== undefined && isWithin(id, top)))) {
				row.ahead = undefined;
			}
		}
	}

	function drawingOf(id: string | undefined): Drawing | undefined {
		const drawing = id === undefined ? undefined : rows.get(id)?.drawing;
		return drawing && (drawing.asking > 0 || clock.nowMs() - drawing.answeredMs < drawingMs) ? drawing : undefined;
	}

	/** The rows below that are not kept will be new to the editor. */
	function ungive(row: RowsBelow, kept: ReadonlySet<string>): void {
		const before = [...row.given];
		row.given = new Set(before.filter((id) => kept.has(id)));
		for (const gone of before.flatMap((id) => (kept.has(id) ? [] : (rows.get(id) ?? [])))) {
			delete gone.drawing;
			ungive(gone, new Set());
		}
	}

	return {
		/** Its newest look; `undefined` for a row that was never read, or is forgotten. */
		find: (id: string) => rows.get(id)?.latest,
		/** The editor's object for a row: the first one passed with this id. */
		known: (row: TreeNode) => rows.get(row.id)?.known ?? row,
		/** The newest look of a row. */
		latest,
		/** Records a loaded row. Returns the editor's object for it. */
		met(row: TreeNode) {
			const entry = rows.get(row.id) ?? { ...nothingBelow, known: row, latest: row, reading, isGiven: false };
			rows.set(row.id, Object.assign(entry, { latest: row, reading }));
			return entry.known;
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
		show: (id: string | undefined, shown: readonly TreeNode[]): void => void (below(id).shown = shown),
		/** Rows last shown below a row, or at the root, in their newest look. */
		shown: (id: string | undefined): readonly TreeNode[] => below(id).shown.map(latest),
		/**
		 * The editor requested children, so the row is expanded. Returns prefetched children, and a callback for the
		 * answer: without rows on failure, which leaves the rows of the last one.
		 */
		requested(id: string | undefined) {
			const row = below(id);
			row.isUnfolded = true;
			const drawing = drawingOf(id) ?? { asking: 0, answeredMs: 0 };
			drawing.asking += 1;
			const delivered = (given: readonly TreeNode[] | undefined): void => {
				drawing.asking -= 1;
				drawing.answeredMs = clock.nowMs();
				isBelowGiven ||= id !== undefined;
				if (!given) {
					return;
				}
				const current = below(id);
				const now = new Set(given.map((each) => each.id));
				ungive(current, now);
				for (const entry of Array.from(now, (each) => rows.get(each)).filter((each) => each !== undefined)) {
					entry.drawing = current.given.has(entry.known.id) ? entry.drawing : drawing;
					entry.isGiven = true;
					// A repeated answer from an earlier load also keeps its rows known.
					entry.reading = reading;
				}
				current.given = now;
			};
			return { ahead: row.ahead?.rows, delivered: delivered };
		},
		/** True if the row was in an answer to the editor, which can reveal it now. */
		isGiven: (id: string) => rows.get(id)?.isGiven === true,
		isDrawn: (id: string) => drawingOf(id) === undefined,
		isUnfolded,
		/** The user expanded or collapsed the row. */
		turn(id: string, isOpen: boolean) {
			const row = below(id);
			row.isUnfolded = isOpen;
			if (!isOpen) {
				drop(id);
				ungive(row, new Set());
			}
		},
		/** True if children are prefetched. */
		isAhead: (id: string) => rows.get(id)?.ahead !== undefined,
		/** Stores the prefetched children of a row and of its expanded descendants, in that order. */
		put(branch: readonly ReadRows[]) {
			const [first] = branch;
			if (first) {
				drop(first.above, first.changes);
			}
			for (const each of branch) {
				const row = below(each.above);
				if ((row.ahead?.changes ?? 0) <= each.changes) {
					row.ahead = each;
				}
			}
		},
		/** Drops prefetched children of a row, or all. */
		drop: (id: string | undefined) => drop(id),
		/** The editor requested a row's look and received this. */
		rendered({ id, parent }: TreeNode, item: vscode.TreeItem) {
			const entry = parent ? undefined : rows.get(id);
			if (entry && !isBelowGiven) {
				entry.look = JSON.stringify(item);
			}
			return item;
		},
		/**
		 * True if the root rows look as the editor received them and it never requested children. Then a full change
		 * needs no event. The event would make the editor drop all rows until the answer, and a row expanded at that
		 * moment would look empty.
		 */
		isTopAsGiven: (now: readonly TreeNode[], look: (row: TreeNode) => vscode.TreeItem) =>
			!isBelowGiven &&
			[...root.given].join('\n') === now.map(({ id }) => id).join('\n') &&
			now.every((row) => rows.get(row.id)?.look === JSON.stringify(look(row))),
		/** Starts a full reload. Returns the forgotten ids: rows missing in the last two loads. */
		begin(): readonly string[] {
			reading += 1;
			const gone = [...rows.keys()].filter((id) => (rows.get(id)?.reading ?? 0) < reading - 2);
			gone.forEach((id) => rows.delete(id));
			return gone;
		},
		/** Nothing was shown: another account may see other rows. */
		forgetShown: () => [root, ...rows.values()].forEach((row) => (row.shown = [])),
	};
}
