import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { drawingMs } from './knownRows.ts';

/** The editor requests rows one by one; a pause of this length means that it is done. */
const momentMs = 300;

/**
 * Rows that the user expands during a redraw. The editor has already recorded their collapsed state and collapses them
 * again without an event. So expand them once more afterwards. `unfold`: expands a row; no-op for an expanded one.
 * `busy`: shows the view as busy until then, because a row that is collapsed meanwhile would be expanded again.
 */
export function reexpandGuard(
	clock: Clock,
	unfold: (id: string) => Promise<void>,
	busy: (until: Promise<void>) => void,
) {
	const unfolded = new Set<string>();
	let toldMs = -Infinity;
	let asking = 0;
	let expanding = 0;
	let waiting: Disposable | undefined;
	let done: PromiseWithResolvers<void> | undefined;

	function wait(): void {
		waiting?.dispose();
		waiting = unfolded.size > 0 && asking === 0 ? clock.after(momentMs, () => void unfoldAgain()) : undefined;
		if (unfolded.size === 0 && expanding === 0) {
			done?.resolve();
			done = undefined;
		} else if (!done) {
			done = Promise.withResolvers();
			busy(done.promise);
		}
	}

	async function unfoldAgain(): Promise<void> {
		const ids = [...unfolded];
		unfolded.clear();
		expanding += 1;
		await Promise.all(ids.map(unfold));
		expanding -= 1;
		wait();
	}

	return {
		/** Somebody unfolded a row, or folded it up. */
		turned(id: string, isUnfolded: boolean) {
			if (isUnfolded && clock.nowMs() - toldMs < drawingMs) {
				unfolded.add(id);
			} else {
				unfolded.delete(id);
			}
			wait();
		},
		/** The editor requested rows. Call the result after the answer. */
		asked() {
			asking += 1;
			wait();
			return () => {
				asking -= 1;
				wait();
			};
		},
		/** A change event went out; the editor requests visible rows and redraws. */
		told() {
			toldMs = clock.nowMs();
		},
		dispose() {
			waiting?.dispose();
			done?.resolve();
		},
	};
}
