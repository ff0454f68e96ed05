/** Sizes of one test. */
export interface Counts {
	/** For `npm run check`, where a user waits; defaults to a tenth of `small`. */
	readonly least?: number;
	/** For the first part of `npm test`, of a test in both parts; defaults to `small`. */
	readonly first?: number;
	/** For `npm test`. */
	readonly small: number;
	/** For `npm run prove`. */
	readonly full: number;
}

/** True in `npm run prove`. */
export function runsAll(): boolean {
	return process.env['FORGE_DESK_COUNTS'] === 'full';
}

/** Number of rounds of a test. */
export function counts({ first, small, full, least = Math.ceil(small / 10) }: Counts): number {
	if (runsAll()) {
		return full;
	}
	if (process.env['FORGE_DESK_COUNTS'] === 'least') {
		return least;
	}
	return process.env['FORGE_DESK_PART'] === 'first' ? (first ?? small) : small;
}

/** Seed of all randomness in a test: fixed in `npm test`; new and printed in `npm run prove`. */
export function seed(): number {
	return Number(process.env['FORGE_DESK_SEED'] ?? 20_261_120);
}

/** Options of a fast-check property: the number of runs, and in `npm test` fixed values. */
export function inRounds(rounds: Counts): {
	readonly numRuns: number;
	readonly seed: number;
} {
	return { numRuns: counts(rounds), seed: seed() };
}
