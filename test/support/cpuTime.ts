/** CPU time of this process that `run` takes, in milliseconds. Much steadier than a clock on a busy machine. */
export function cpuMsOf(run: () => void): number {
	const before = process.cpuUsage();
	run();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** A time that a run must exceed again and again before it counts as slow. */
export interface SlowRule {
	readonly limitMs: number;
	readonly repeats: number;
}

/** True only when each of several runs takes longer; the second and third are made only when the one before did. */
export function isSlowEachTime(run: () => void, { limitMs, repeats }: SlowRule): boolean {
	for (let repeat = 0; repeat < repeats; repeat += 1) {
		if (cpuMsOf(run) <= limitMs) {
			return false;
		}
	}
	return true;
}

/** One look at how time grows: how long the smallest work has to take to be measured, and how often it is. */
interface Look {
	readonly leastMs: number;
	readonly rounds: number;
}

/**
 * The second look is for what seems to grow too fast at the first. Short work may be spared a collection of garbage that
 * four times as much of it always meets, which looks like growth; in long work every size has its share of them.
 */
const looks: readonly Look[] = [
	{ leastMs: 1.5, rounds: 60 },
	{ leastMs: 60, rounds: 12 },
];
/** Nobody needs a closer look at what does little more than double. */
const goodGrowth = 2.3;
/** Nothing whose time grows faster is as quick as this at four times the size; what is, only shows how busy the machine is. */
const harmlessMs = 0.5;

/**
 * How much longer work takes when there is twice as much of it: the larger of two steps, from `size` (ten thousand
 * characters and more) to twice and four times that. Small work is repeated until it can be measured.
 */
export function growthOf<T>(run: (input: T) => unknown, make: (size: number) => T, size: number): number {
	const inputs = [size, size * 2, size * 4].map((grown) => make(grown));
	let growth = Number.POSITIVE_INFINITY;
	for (const look of looks) {
		growth = growthSeen(run, inputs, look);
		if (growth <= goodGrowth) {
			break;
		}
	}
	return growth;
}

function growthSeen<T>(run: (input: T) => unknown, inputs: readonly T[], { leastMs, rounds }: Look): number {
	let repeats = 1;
	const timesOf = (): readonly number[] =>
		inputs.map((input) =>
			cpuMsOf(() => {
				for (let repeat = 0; repeat < repeats; repeat += 1) {
					run(input);
				}
			}),
		);
	// The first rounds also warm up what is measured.
	while (repeats < 4096 && (timesOf()[0] ?? 0) < leastMs) {
		repeats *= 4;
	}
	// What a busy machine adds to a round it adds to no other, so each size has the best of its times.
	let best: readonly number[] = inputs.map(() => Number.POSITIVE_INFINITY);
	let growth = Number.POSITIVE_INFINITY;
	for (let round = 0; round < rounds && growth > goodGrowth; round += 1) {
		const times = timesOf();
		best = best.map((ms, at) => Math.min(ms, times[at] ?? ms));
		const [one = 0, two = 0, four = 0] = best;
		growth = four / repeats < harmlessMs ? 1 : Math.max(two / one, four / two);
	}
	return growth;
}
