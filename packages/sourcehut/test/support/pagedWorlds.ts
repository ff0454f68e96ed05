import * as fc from 'fast-check';
import { counts } from '../../../../test/support/counts.ts';

/** Page size of servers. */
export const onOnePage = 25;

/**
 * Faults from the second page on: that page for ever, empty pages for ever, one empty page without a cursor, or the
 * first page again without a cursor.
 */
type Flaw = 'none' | 'endless' | 'empty' | 'cut' | 'repeated';

/** A paged list of a server, by item numbers. */
export interface PagedWorld {
	/** Existing numbers, newest first; deleted ones are missing. */
	readonly numbers: readonly number[];
	readonly flaw: Flaw;
	/** Times may be whole seconds, equal, or fractional. */
	readonly stepMs: number;
	/** A newer item appears after each page. */
	readonly isGrowing: boolean;
}

/** Mostly small worlds, many of which end with a full page. */
const sizes = fc.oneof(
	{ weight: 4, arbitrary: fc.nat(60) },
	{ weight: 2, arbitrary: fc.constantFrom(24, 25, 26, 49, 50, 51, 75) },
	{ weight: 1, arbitrary: fc.nat(counts({ small: 120, full: 300 })) },
);

/** Worlds of 0 to 300 items. */
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

/** A page in the form of a response. */
export interface PageShown<T> {
	readonly cursor: string | null;
	readonly results: readonly T[];
}

function usualPage<T>(world: PagedWorld, cursor: string | undefined, show: (number: number) => T): PageShown<T> {
	const { numbers, flaw, isGrowing } = world;
	const [newest = 0] = numbers;
	const from = cursor === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(cursor, 10);
	// Newer items are above the first page, and never on a later one.
	const made = cursor !== undefined && isGrowing ? [newest + 1] : [];
	const rest = [...made, ...numbers].filter((number) => number <= from);
	const next = rest[onOnePage];
	const shown = cursor !== undefined && flaw === 'empty' ? [] : rest.slice(0, onOnePage);
	// Sealed text differs each time.
	const again = flaw !== 'none' && cursor !== undefined ? `${cursor} ` : undefined;
	return { cursor: again ?? (next === undefined ? null : String(next)), results: shown.map(show) };
}

/** Pages of observed servers: the cursor contains the next number. */
export function pageOf<T>(world: PagedWorld, cursor: string | undefined, show: (number: number) => T): PageShown<T> {
	const { numbers, flaw } = world;
	if (cursor === undefined || (flaw !== 'cut' && flaw !== 'repeated')) {
		return usualPage(world, cursor, show);
	}
	return { cursor: null, results: (flaw === 'cut' ? [] : numbers.slice(0, onOnePage)).map(show) };
}
