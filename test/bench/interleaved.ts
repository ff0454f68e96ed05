/**
 * `prepare` runs before every sample, outside the measured time. `run` may resolve to a time of its own, in
 * milliseconds.
 */
export interface Contender {
	readonly name: string;
	readonly prepare?: () => Promise<unknown> | void;
	readonly run: () => Promise<number | void>;
}

/** Times of a pair, in milliseconds. */
export interface Comparison {
	readonly ours: Samples;
	readonly baseline: Samples;
	/** Median of ours, divided by that of the baseline. */
	readonly ratio: number;
	/** The same of the fastest samples, which other work on the machine disturbs least. */
	readonly ratioOfFastest: number;
	/** Change of the baseline's median from the first to the last third of the run, as a share. */
	readonly drift: number;
}

export interface Samples {
	readonly median: number;
	readonly fastest: number;
	readonly count: number;
}

const mostWarmUps = 3;

/** Later rounds are left out on a slow machine. */
const enough = { rounds: 7, ms: 12_000 } as const;

/**
 * Times both in turn, A B B A …, so that other work on the machine disturbs both alike. Up to three rounds of warm-up do
 * not count. Slow rounds are fewer (`enough`).
 */
export async function compare(
	ours: Contender,
	baseline: Contender,
	rounds: number,
	nowMs = () => performance.now(),
): Promise<Comparison> {
	const warmUps = Math.min(mostWarmUps, rounds);
	const times = { ours: new Array<number>(), baseline: new Array<number>() };
	const startMs = nowMs();
	const isEnough = (round: number): boolean => nowMs() - startMs >= enough.ms && round >= enough.rounds;
	for (let round = -warmUps; round < rounds && !isEnough(round); round++) {
		const first = round % 2 === 0 ? ours : baseline;
		const second = first === ours ? baseline : ours;
		for (const contender of [first, second]) {
			const latencyMs = await timed(contender);
			if (round >= 0) {
				times[contender === ours ? 'ours' : 'baseline'].push(latencyMs);
			}
		}
	}
	return comparisonOf(times.ours, times.baseline);
}

/** Compares two series of alternating times. */
export function comparisonOf(oursMs: readonly number[], baselineMs: readonly number[]): Comparison {
	const ours = samplesOf(oursMs);
	const baseline = samplesOf(baselineMs);
	return {
		ours,
		baseline,
		ratio: ours.median / baseline.median,
		ratioOfFastest: ours.fastest / baseline.fastest,
		drift: driftOf(baselineMs),
	};
}

async function timed({ prepare, run }: Contender): Promise<number> {
	await prepare?.();
	const beganMs = performance.now();
	const own = await run();
	return own ?? performance.now() - beganMs;
}

function samplesOf(times: readonly number[]): Samples {
	return { median: medianOf(times), fastest: Math.min(...times), count: times.length };
}

function medianOf(times: readonly number[]): number {
	const sorted = [...times].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Of fewer than three times: the step from the first to the last. */
function driftOf(times: readonly number[]): number {
	const third = Math.max(1, Math.floor(times.length / 3));
	const first = medianOf(times.slice(0, third));
	const last = medianOf(times.slice(-third));
	return Math.abs(last - first) / Math.min(first, last);
}
