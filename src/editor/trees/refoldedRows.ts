import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { drawingMs } from './drawnRows.ts';

/** What unfolding rows again needs. */
export interface RefoldedRowsParts {
	readonly clock: Clock;
	/** Unfolds a row in the editor. It stays as it is when it is unfolded. */
	readonly unfold: (id: string) => void;
}

/**
 * Rows that somebody unfolds while the editor draws the view anew. It has decided by then which of them were folded, folds
 * them again, and tells nobody. So those are unfolded once more when it is done.
 */
export interface RefoldedRows extends Disposable {
	/** Somebody unfolded a row, or folded it up. */
	turned(id: string, isUnfolded: boolean): void;
	/** The editor asks for rows. Answers what to call when it was answered. */
	asked(): () => void;
	/** The editor hears of a change, asks anew for what it shows, and draws that. */
	told(): void;
}

/** It asks for one row after the other, so it is done when it has not asked for a moment. */
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
