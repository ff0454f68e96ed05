import { Bench } from 'tinybench';

/** One thing to be timed. `prepare` runs before every sample and is not timed. */
export interface Contender {
	readonly name: string;
	readonly prepare?: () => Promise<unknown> | void;
	readonly run: () => Promise<void>;
}

/** What was measured of a pair, in milliseconds. */
export interface Comparison {
	readonly ours: Samples;
	readonly baseline: Samples;
	/** Ours to the baseline, by their medians. */
	readonly ratio: number;
	/** The same by the fastest of each, which other work on the machine disturbs least. */
	readonly ratioOfFastest: number;
	/** How far the baseline's own median moved between the first and the last third of the run, as a share. */
	readonly drift: number;
}

export interface Samples {
	readonly median: number;
	readonly fastest: number;
	readonly count: number;
}

const mostWarmUps = 3;

/** On a slow machine the run would have no time left for others. */
const enough = { rounds: 7, ms: 25_000 } as const;

/** Whether so many rounds, which took so long, say enough. */
export function isEnough(rounds: number, tookMs: number): boolean {
	return rounds >= enough.rounds && tookMs >= enough.ms;
}

/**
 * Times both in turn, A B B A …, so that whatever else the machine does meets both alike. As many rounds of warm-up as
 * there are others, and three at most, are not counted. There are fewer rounds where they take long.
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
	for (let round = -warmUps; round < rounds && !isEnough(round, nowMs() - startMs); round++) {
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

/** What two rows of times, taken in turn, say of each other. */
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

async function timed({ name, prepare, run }: Contender): Promise<number> {
	await prepare?.();
	const bench = new Bench({ iterations: 1, time: 0, warmup: false, throws: true });
	// Left to find out by itself, it calls what is not written as `async` once more, beside the call that is timed.
	bench.add(name, run, { async: true });
	const [task] = await bench.run();
	const result = task?.result;
	if (result === undefined || !('latency' in result)) {
		throw new Error(`${name} was not measured`);
	}
	return result.latency.mean;
}

function samplesOf(times: readonly number[]): Samples {
	return { median: medianOf(times), fastest: Math.min(...times), count: times.length };
}

function medianOf(times: readonly number[]): number {
	const sorted = [...times].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Of fewer than three times it is the step from the first to the last. */
function driftOf(times: readonly number[]): number {
	const third = Math.max(1, Math.floor(times.length / 3));
	const first = medianOf(times.slice(0, third));
	const last = medianOf(times.slice(-third));
	return Math.abs(last - first) / Math.min(first, last);
}
