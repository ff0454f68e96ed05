import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { drawingMs } from './drawnRows.ts';

export interface RefoldedRowsParts {
	readonly clock: Clock;
	/** Expands a row in the editor; no-op for an expanded one. */
	readonly unfold: (id: string) => void;
}

/**
 * Rows that the user expands during a redraw. The editor has already recorded their collapsed state and collapses them
 * again without an event. So expand them once more afterwards.
 */
export interface RefoldedRows extends Disposable {
	/** Somebody unfolded a row, or folded it up. */
	turned(id: string, isUnfolded: boolean): void;
	/** The editor requested rows. Call the result after the answer. */
	asked(): () => void;
	/** A change event went out; the editor requests visible rows and redraws. */
	told(): void;
}

/** The editor requests rows one by one; a pause of this length means that it is done. */
const momentMs = 300;

export function refoldedRows({ clock, unfold }: RefoldedRowsParts): RefoldedRows {
	const unfolded = new Set<string>();
	let toldMs = -Infinity;
	let asking = 0;
	let waiting: Disposable | undefined;

	function wait(): void {
		waiting?.dispose();
		waiting = unfolded.size > 0 && asking === 0 ? clock.after(momentMs, unfoldAgain) : undefined;
	}

	function unfoldAgain(): void {
		const ids = [...unfolded];
		unfolded.clear();
		ids.forEach(unfold);
	}

	return {
		turned(id, isUnfolded) {
			if (isUnfolded && clock.nowMs() - toldMs < drawingMs) {
				unfolded.add(id);
			} else {
				unfolded.delete(id);
			}
			wait();
		},
		asked() {
			asking += 1;
			wait();
			return () => {
				asking -= 1;
				wait();
			};
		},
		told() {
			toldMs = clock.nowMs();
		},
		dispose: () => waiting?.dispose(),
	};
}
