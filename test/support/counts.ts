/** Sizes of one test. */
export interface Counts {
	/** For `npm run check`, where a user waits; defaults to a tenth of `small`. */
	readonly least?: number;
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
export function counts({ small, full, least = Math.ceil(small / 10) }: Counts): number {
	return runsAll() ? full : process.env['FORGE_DESK_COUNTS'] === 'least' ? least : small;
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
