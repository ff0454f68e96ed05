import * as fc from 'fast-check';
import { counts } from './counts.ts';

/** As many things as servers have on one page. */
export const onOnePage = 25;

/**
 * Faults from the second page on: that page for ever, empty pages for ever, one empty page without a cursor, or the first page
 * again without a cursor.
 */
type Flaw = 'none' | 'endless' | 'empty' | 'cut' | 'repeated';

/** A list as a server pages it, by the numbers of its things. */
export interface PagedWorld {
	/** Numbers of what is there, the newest first; what was deleted is missing in between. */
	readonly numbers: readonly number[];
	readonly flaw: Flaw;
	/** Seconds may be whole and the same for many, and may have fractions. */
	readonly stepMs: number;
	/** Something newer is made after each page. */
	readonly isGrowing: boolean;
}

/** Most worlds are small, and many end where a page does. */
const sizes = fc.oneof(
	{ weight: 4, arbitrary: fc.nat(60) },
	{ weight: 2, arbitrary: fc.constantFrom(24, 25, 26, 49, 50, 51, 75) },
	{ weight: 1, arbitrary: fc.nat(counts({ small: 120, full: 300 })) },
);

/** Worlds of 0 to 300 things. */
export const pagedWorlds: fc.Arbitrary<PagedWorld> = fc
	.record({
		size: sizes,
		gap: fc.constantFrom(1, 1, 2, 7),
		flaw: fc.constantFrom<Flaw>('none', 'none', 'none', 'none', 'endless', 'empty', 'cut', 'repeated'),
		stepMs: fc.constantFrom(0, 1000, 250, 60_500),
		isGrowing: fc.boolean(),
	})
	.map(({ size, gap, ...world }) => ({
		...world,
		numbers: Array.from({ length: size }, (_, at) => (size - at) * gap),
	}));

/** A page as it is answered. */
export interface PageShown<T> {
	readonly cursor: string | null;
	readonly results: readonly T[];
}

function usualPage<T>(world: PagedWorld, cursor: string | undefined, show: (number: number) => T): PageShown<T> {
	const { numbers, flaw, isGrowing } = world;
	const [newest = 0] = numbers;
	const from = cursor === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(cursor, 10);
	// What was made since the first page is above it, and never on a page below.
	const made = cursor !== undefined && isGrowing ? [newest + 1] : [];
	const rest = [...made, ...numbers].filter((number) => number <= from);
	const next = rest[onOnePage];
	const shown = cursor !== undefined && flaw === 'empty' ? [] : rest.slice(0, onOnePage);
	// Sealed text is never the same twice.
	const again = flaw !== 'none' && cursor !== undefined ? `${cursor} ` : undefined;
	return { cursor: again ?? (next === undefined ? null : String(next)), results: shown.map(show) };
}

/** Pages of observed servers: the cursor names the number that comes next. */
export function pageOf<T>(world: PagedWorld, cursor: string | undefined, show: (number: number) => T): PageShown<T> {
	const { numbers, flaw } = world;
	if (cursor === undefined || (flaw !== 'cut' && flaw !== 'repeated')) {
		return usualPage(world, cursor, show);
	}
	return { cursor: null, results: (flaw === 'cut' ? [] : numbers.slice(0, onOnePage)).map(show) };
}
