import type { Clock } from '../../base/clock.ts';
import type { TreeNode } from './treeNode.ts';

/** Requests that the editor draws together. */
interface Drawing {
	asking: number;
	answeredMs: number;
}

/** Longer than a slow editor takes from the last answer until it has drawn the rows. */
export const drawingMs = 10_000;

/**
 * Rows that the editor has drawn. It draws children after it loaded all expanded descendants. An event for a row before
 * its first drawing fails: the editor loses the change and shows no children until a full refresh. The editor reports
 * no drawing, so estimate the time.
 */
export function drawnRows(clock: Clock) {
	/** Ids of the rows below each row, as last given. */
	const below = new Map<string | undefined, ReadonlySet<string>>();
	/** First drawing of each row. */
	const drawings = new Map<string, Drawing>();

	function drawingOf(id: string | undefined): Drawing | undefined {
		const drawing = id === undefined ? undefined : drawings.get(id);
		return drawing && (drawing.asking > 0 || clock.nowMs() - drawing.answeredMs < drawingMs) ? drawing : undefined;
	}

	function drop(id: string): void {
		const ids = below.get(id);
		below.delete(id);
		for (const each of ids ?? []) {
			drawings.delete(each);
			drop(each);
		}
	}

	function given(above: string | undefined, rows: readonly TreeNode[], drawing: Drawing): void {
		const before = below.get(above);
		const now = new Set(rows.map(({ id }) => id));
		for (const id of before ?? []) {
			if (!now.has(id)) {
				drawings.delete(id);
				drop(id);
			}
		}
		for (const id of now) {
			if (before?.has(id) !== true) {
				drawings.set(id, drawing);
			}
		}
		below.set(above, now);
	}

	return {
		/**
		 * The editor requested children. Call the result after the answer, without rows on failure. Only the first call
		 * counts.
		 */
		asked(above: string | undefined): (rows?: readonly TreeNode[]) => void {
			const drawing = drawingOf(above) ?? { asking: 0, answeredMs: 0 };
			let isAnswered = false;
			drawing.asking += 1;
			return (rows) => {
				if (isAnswered) {
					return;
				}
				isAnswered = true;
				drawing.asking -= 1;
				drawing.answeredMs = clock.nowMs();
				// A failed answer leaves the rows of the last one.
				if (rows) {
					given(above, rows, drawing);
				}
			};
		},
		/** A row collapsed: its children may be new to the editor at the next request. */
		folded: drop,
		isDrawn: (id: string) => drawingOf(id) === undefined,
	};
}
