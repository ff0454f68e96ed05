import { runResting, type Resting, type Steps } from '../../../base/timeSlice.ts';

/** Results computed from tickets, by key; recomputed after changes only. `steps` works out one result. */
export function keptResults<From, T>(steps: (from: From) => Steps<T>, resting: Resting) {
	const kept = new Map<string, { readonly result: T; readonly begun: number; isTrue: boolean }>();
	/** Number of invalidations, to detect one during a computation. */
	let changes = 0;
	/** Two computations may overlap; the one that started later wins. */
	let beginnings = 0;
	return {
		/**
		 * Returns the cached result unless it is stale; otherwise computes it with pauses, to keep the extension host
		 * responsive.
		 */
		async current(key: string, from: From, signal: AbortSignal): Promise<T> {
			const known = kept.get(key);
			if (known?.isTrue === true) {
				return known.result;
			}
			const before = changes;
			beginnings += 1;
			const begun = beginnings;
			const result = await runResting(steps(from), resting, signal);
			const newer = kept.get(key);
			if (newer && newer.begun > begun) {
				return newer.result;
			}
			kept.set(key, { result, begun, isTrue: changes === before });
			return result;
		},
		/** As last worked out, whether it is true still or not. */
		last: (key: string) => kept.get(key)?.result,
		/** Whether nothing has changed since it was last worked out. */
		isCurrent: (key: string) => kept.get(key)?.isTrue === true,
		/** Marks results of matching keys as stale. */
		stale(isStale: (key: string) => boolean) {
			changes += 1;
			for (const [key, entry] of kept) {
				entry.isTrue &&= !isStale(key);
			}
		},
		/** Forgets what has no row any more. */
		clear() {
			changes += 1;
			kept.clear();
		},
	};
}
