import type { Cursor } from '../../forge/page.ts';
import type { NumberRange } from '../shared/numberRanges.ts';

/** Where a tracker's tickets can be read on: below the number of the last ticket of a page. */
export interface KeptCursor {
	readonly below: number;
	readonly cursor: Cursor;
}

/**
 * The ends of pages at which a server lets us go on. Each page that is read leaves one at its end and takes away those
 * within it, so there are about as many as pages, wherever new tickets have moved their ends to.
 */
export class TicketCursors {
	readonly #byEnd = new Map<number, Cursor>();

	/** The one from which `number` is reached soonest; `undefined` where only the newest page leads there. */
	above(number: number): KeptCursor | undefined {
		let best: KeptCursor | undefined;
		for (const [below, cursor] of this.#byEnd) {
			if (below > number && (best === undefined || below < best.below)) {
				best = { below, cursor };
			}
		}
		return best;
	}

	/** Where the newest page ends; `undefined` where no cursor tells that. */
	get newestEnd(): number | undefined {
		return this.#byEnd.size === 0 ? undefined : Math.max(...this.#byEnd.keys());
	}

	/** Those within a range. */
	within({ top, bottom }: NumberRange): readonly KeptCursor[] {
		return Array.from(this.#byEnd, ([below, cursor]) => ({ below, cursor })).filter(
			({ below }) => below <= top && below >= bottom,
		);
	}

	/** A page spoke for this range; `next` goes on where it ends. */
	take(range: NumberRange, next: Cursor | undefined): void {
		for (const { below } of this.within(range)) {
			this.#byEnd.delete(below);
		}
		if (next !== undefined) {
			this.#byEnd.set(range.bottom, next);
		}
	}

	/** Takes in what was known when the window was closed; what is known now is newer. */
	remember(kept: readonly KeptCursor[]): void {
		for (const { below, cursor } of kept) {
			if (!this.#byEnd.has(below)) {
				this.#byEnd.set(below, cursor);
			}
		}
	}

	/** The server takes them no more, or nobody wants them. */
	forget(): void {
		this.#byEnd.clear();
	}
}
