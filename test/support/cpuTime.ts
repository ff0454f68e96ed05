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
const goodGrowth = 2.3;
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
	const repeats = repeatsFor(run, inputs, leastMs);
	if (repeats === undefined) {
		return 1;
	}
	// What a busy machine adds to a round it adds to no other, so each size has the best of its times.
	let best: readonly number[] = inputs.map(() => Number.POSITIVE_INFINITY);
	let spentMs = 0;
	for (let round = 0; round < rounds; round += 1) {
		const times = inputs.map((input) => msOf(run, input, repeats));
		best = best.map((ms, at) => Math.min(ms, times[at] ?? ms));
		const growth = growthIn(best, repeats, of);
		spentMs += times.reduce((sum, ms) => sum + ms, 0);
		if (growth <= goodGrowth || (round >= 2 && spentMs >= enoughMs)) {
			return growth;
		}
	}
	return growthIn(best, repeats, of);
}

function growthIn(best: readonly number[], repeats: number, of: Look['growthOf']): number {
	const steps = best.slice(1).map((ms, at) => ms / (best[at] ?? ms));
	return isHarmless(best[2] ?? 0, repeats) ? 1 : of(steps.toSorted((a, b) => a - b));
}

/** How often the smallest work has to be done to be measured; `undefined` when four times as much is harmless. */
function repeatsFor<T>(run: (input: T) => unknown, inputs: readonly T[], leastMs: number): number | undefined {
	const [smallest, , atFourTimes] = inputs;
	if (smallest === undefined || atFourTimes === undefined) {
		throw new Error('Growth shows at two doublings and more');
	}
	// The first turns are slower than those that follow.
	for (let turn = 0; turn < 5; turn += 1) {
		const ms = msOf(run, atFourTimes, 1);
		if (isHarmless(ms, 1)) {
			return undefined;
		}
		if (ms > harmlessMs * 5) {
			break;
		}
	}
	let repeats = 1;
	for (let ms = msOf(run, smallest, 1); ms < leastMs && repeats < mostRepeats; ms = msOf(run, smallest, repeats)) {
		const wanted = Math.ceil((repeats * leastMs) / Math.max(ms, leastMs / mostRepeats));
		repeats = Math.min(Math.max(wanted, repeats * 2), mostRepeats);
	}
	return repeats;
}

function isHarmless(ms: number, repeats: number): boolean {
	return ms / repeats < harmlessMs;
}

function msOf<T>(run: (input: T) => unknown, input: T, repeats: number): number {
	return cpuMsOf(() => {
		for (let repeat = 0; repeat < repeats; repeat += 1) {
			run(input);
		}
	});
}
