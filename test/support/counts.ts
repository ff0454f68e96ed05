/** How often a test with many rounds runs: `small` in `npm test`, `full` in `npm run prove`. */
export function counts({ small, full }: { readonly small: number; readonly full: number }): number {
	return process.env['FORGE_DESK_COUNTS'] === 'full' ? full : small;
}

/** The seed of everything random in a test: fixed in `npm test`, fresh and printed in `npm run prove`. */
export function seed(): number {
	return Number(process.env['FORGE_DESK_SEED'] ?? 20_261_120);
}

/** How a property of fast-check runs: so many times, and in `npm test` always with the same values. */
export function inRounds(rounds: { readonly small: number; readonly full: number }): {
	readonly numRuns: number;
	readonly seed: number;
} {
	return { numRuns: counts(rounds), seed: seed() };
}
