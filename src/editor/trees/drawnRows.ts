import type { Clock } from '../../base/clock.ts';
import type { TreeNode } from './treeNode.ts';

/**
 * Which of the rows that the editor was given it has drawn. It draws what it reads below a row when it has read all that is
 * unfolded there. Told before that of one of the rows that are new to it, it fails, loses the change, and shows nothing
 * below that row until all rows are read anew. It does not say when it has drawn them.
 */
export interface DrawnRows {
	/**
	 * The editor asks for what is below a row, or at the top. Answers what to call when it was answered: with the rows, or
	 * without any when that failed. Only the first call counts.
	 */
	asked(above: string | undefined): (rows?: readonly TreeNode[]) => void;
	/** A row is folded up: what is below it may be new to the editor when it asks for it again. */
	folded(id: string): void;
	isDrawn(id: string): boolean;
}

/** What the editor reads one after the other, to draw it together. */
interface Drawing {
	asking: number;
	answeredMs: number;
}

/** Longer than a slow editor takes from the last answer until it has drawn the rows. */
export const drawingMs = 10_000;

export function drawnRows(clock: Clock): DrawnRows {
	/** Ids of the rows below each row, as last given. */
	const below = new Map<string | undefined, ReadonlySet<string>>();
	/** In which drawing each row was new. */
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
		asked(above) {
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
		folded: drop,
		isDrawn: (id) => drawingOf(id) === undefined,
	};
}
