import { runResting, type Resting } from '../../../base/timeSlice.ts';
import { shelfSteps } from './ticketShelf.ts';
import type { Shelf, ShelfWish } from './shelf.ts';

/** Shelves by the id of the row that they hang under, filled once per change. */
export interface Shelves {
	/** Fills it with rests between, so that nothing else waits. */
	filled(id: string, wish: ShelfWish, signal: AbortSignal): Promise<Shelf>;
	/** As last filled, be it true still or not; for finding where something stood. */
	last(id: string): Shelf | undefined;
	/** Whether nothing has changed since it was last filled. */
	isTrue(id: string): boolean;
	/** Those that hold for one of these, or all, are filled anew at the next look. */
	stale(isStale: (id: string) => boolean): void;
	/** Forgets what has no row any more. */
	clear(): void;
}

export function shelves(resting: Resting): Shelves {
	const kept = new Map<string, { readonly shelf: Shelf; readonly begun: number; isTrue: boolean }>();
	/** Counts what made shelves untrue: one that was being filled meanwhile may be untrue already. */
	let changes = 0;
	/** Two may fill the same shelf at once, and who began later knows more. */
	let fills = 0;

	function trueOne(id: string): Shelf | undefined {
		const entry = kept.get(id);
		return entry?.isTrue === true ? entry.shelf : undefined;
	}

	return {
		async filled(id, wish, signal) {
			const known = trueOne(id);
			if (known) {
				return known;
			}
			const before = changes;
			fills += 1;
			const begun = fills;
			const shelf = await runResting(shelfSteps(wish), resting, signal);
			const newer = kept.get(id);
			if (newer && newer.begun > begun) {
				return newer.shelf;
			}
			kept.set(id, { shelf, begun, isTrue: changes === before });
			return shelf;
		},
		last: (id) => kept.get(id)?.shelf,
		isTrue: (id) => trueOne(id) !== undefined,
		stale(isStale) {
			changes += 1;
			for (const [id, entry] of kept) {
				entry.isTrue &&= !isStale(id);
			}
		},
		clear() {
			changes += 1;
			kept.clear();
		},
	};
}
