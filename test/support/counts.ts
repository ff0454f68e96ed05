/** Numbers for one thing that runs in several sizes. */
export interface Counts {
	/** In `npm run check`, whose user waits for it; a tenth of `small` where it is left out. */
	readonly least?: number;
	/** In `npm test`. */
	readonly small: number;
	/** In `npm run prove`. */
	readonly full: number;
}

/** Whether this is `npm run prove`. */
export function runsAll(): boolean {
	return process.env['FORGE_DESK_COUNTS'] === 'full';
}

/** How often a test with many rounds runs. */
export function counts({ small, full, least = Math.ceil(small / 10) }: Counts): number {
	return runsAll() ? full : process.env['FORGE_DESK_COUNTS'] === 'least' ? least : small;
}

/** The seed of everything random in a test: fixed in `npm test`, fresh and printed in `npm run prove`. */
export function seed(): number {
	return Number(process.env['FORGE_DESK_SEED'] ?? 20_261_120);
}

/** How a property of fast-check runs: so many times, and in `npm test` always with the same values. */
export function inRounds(rounds: Counts): {
	readonly numRuns: number;
	readonly seed: number;
} {
	return { numRuns: counts(rounds), seed: seed() };
}
