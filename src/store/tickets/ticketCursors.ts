import { maxOf } from '@forge-desk/base/longArrays.ts';
import type { Cursor } from 'sourcehut/port/page.ts';
import type { NumberRange } from '../shared/numberRanges.ts';

/** A cursor that continues below a ticket number. */
export interface KeptCursor {
	readonly below: number;
	readonly cursor: Cursor;
}

/**
 * Cursors at the ends of pages. Each page stores one at its end and removes those within its range, so their number
 * stays near the number of pages.
 */
export class TicketCursors {
	readonly #byEnd = new Map<number, Cursor>();

	/** The nearest cursor above `number`; `undefined` when only the newest page leads there. */
	above(number: number): KeptCursor | undefined {
		let best: KeptCursor | undefined;
		for (const [below, cursor] of this.#byEnd) {
			if (below > number && (best === undefined || below < best.below)) {
				best = { below, cursor };
			}
		}
		return best;
	}

	/** End of the newest page; `undefined` without a cursor. */
	get newestEnd(): number | undefined {
		return this.#byEnd.size === 0 ? undefined : maxOf(this.#byEnd.keys());
	}

	all(): readonly KeptCursor[] {
		return Array.from(this.#byEnd, ([below, cursor]) => ({ below, cursor }));
	}

	within({ top, bottom }: NumberRange): readonly KeptCursor[] {
		return this.all().filter(({ below }) => below <= top && below >= bottom);
	}

	/** A page covered `range`; `next` continues below it. */
	take(range: NumberRange, next: Cursor | undefined): void {
		for (const { below } of this.within(range)) {
			this.#byEnd.delete(below);
		}
		if (next !== undefined) {
			this.#byEnd.set(range.bottom, next);
		}
	}

	/** Adds cursors from the disk cache; never overwrites newer ones. */
	remember(kept: readonly KeptCursor[]): void {
		for (const { below, cursor } of kept) {
			if (!this.#byEnd.has(below)) {
				this.#byEnd.set(below, cursor);
			}
		}
	}

	/** Drops all cursors, for example after the server rejected one. */
	forget(): void {
		this.#byEnd.clear();
	}
}
