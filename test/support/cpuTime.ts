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

/** One look at how time grows. */
interface Look {
	/** How often the size is doubled. */
	readonly doublings: number;
	/** How long the smallest work has to take to be measured. */
	readonly leastMs: number;
	readonly rounds: number;
	/** CPU time after which three rounds are enough: what they leave doubtful is for the next look to tell. */
	readonly enoughMs: number;
	/** What is made of the growth of every doubling, from the least to the most. */
	readonly growthOf: (ascending: readonly number[]) => number;
}

/**
 * The second look is for what seems to grow too fast at the first. One doubling alone may grow by the machine: short work
 * may be spared a collection of garbage that longer work always meets, and long strings are kept in another place than
 * short ones. What grows faster than its size does so at every doubling, and so at the middle one of three.
 */
const looks: readonly Look[] = [
	{ doublings: 2, leastMs: 1.5, rounds: 60, enoughMs: 300, growthOf: (ascending) => ascending.at(-1) ?? 0 },
	{
		doublings: 3,
		leastMs: 15,
		rounds: 12,
		enoughMs: 5000,
		growthOf: (ascending) => ascending.at(1) ?? 0,
	},
];
/** Nobody needs a closer look at what does little more than double. */
const goodGrowth = 2.45;
/** Work that is so short that it cannot be measured in as many turns is not measured. */
const mostRepeats = 4096;
/** Nothing whose time grows faster is as quick as this at four times the size; what is, only shows how busy the machine is. */
const harmlessMs = 0.5;

/**
 * How much longer work takes when there is twice as much of it, from `size` (ten thousand characters and more) to twice,
 * four times and, where that is doubtful, eight times that. Small work is repeated until it can be measured.
 */
export function growthOf<T>(run: (input: T) => unknown, make: (size: number) => T, size: number): number {
	let growth = Number.POSITIVE_INFINITY;
	for (const look of looks) {
		const inputs = Array.from({ length: look.doublings + 1 }, (_, doublings) => make(size * 2 ** doublings));
		growth = growthSeen(run, inputs, look);
		if (growth <= goodGrowth) {
			break;
		}
	}
	return growth;
}

function growthSeen<T>(
	run: (input: T) => unknown,
	inputs: readonly T[],
	{ leastMs, rounds, enoughMs, growthOf: of }: Look,
): number {
	let repeats = 1;
	let spentMs = 0;
	const timeOf = (input: T): number => {
		const ms = cpuMsOf(() => {
			for (let repeat = 0; repeat < repeats; repeat += 1) {
				run(input);
			}
		});
		spentMs += ms;
		return ms;
	};
	const isHarmless = (ms: number): boolean => ms / repeats < harmlessMs;
	const [smallest, , atFourTimes] = inputs;
	if (smallest === undefined || atFourTimes === undefined) {
		throw new Error('Growth shows at two doublings and more');
	}
	// The first turns are slower than those that follow.
	for (let turn = 0, ms = timeOf(atFourTimes); turn < 5 && ms < harmlessMs * 5; turn += 1, ms = timeOf(atFourTimes)) {
		if (isHarmless(ms)) {
			return 1;
		}
	}
	for (let ms = timeOf(smallest); ms < leastMs && repeats < mostRepeats; ms = timeOf(smallest)) {
		const wanted = Math.ceil((repeats * leastMs) / Math.max(ms, leastMs / mostRepeats));
		repeats = Math.min(Math.max(wanted, repeats * 2), mostRepeats);
	}
	// What a busy machine adds to a round it adds to no other, so each size has the best of its times.
	let best: readonly number[] = inputs.map(() => Number.POSITIVE_INFINITY);
	let growth = Number.POSITIVE_INFINITY;
	for (let round = 0; round < rounds && growth > goodGrowth && (round < 3 || spentMs < enoughMs); round += 1) {
		const times = inputs.map(timeOf);
		best = best.map((ms, at) => Math.min(ms, times[at] ?? ms));
		const steps = best.slice(1).map((ms, at) => ms / (best[at] ?? ms));
		growth = isHarmless(best[2] ?? 0) ? 1 : of(steps.toSorted((a, b) => a - b));
	}
	return growth;
}
