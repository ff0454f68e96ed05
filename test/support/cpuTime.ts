/**
 * CPU time of this process that `run` takes, in milliseconds. Much steadier than a clock on a busy machine. That of the
 * thread alone would be steadier still, but systems count it in steps of some milliseconds.
 */
export function cpuMsOf(run: () => void): number {
	const before = process.cpuUsage();
	run();
	return cpuMsSince(before);
}

/** CPU time of this process and its threads since `before`, in milliseconds. */
export function cpuMsSince(before: NodeJS.CpuUsage): number {
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** A time that a run must exceed again and again before it counts as slow. */
export interface SlowRule {
	/** On a machine that does the usual work in its usual time, and more on one that takes longer for it. */
	readonly limitMs: number;
	readonly repeats: number;
}

const usualText = 'A line of plain text, and more of it.\r\n'.repeat(25_000);
/** What `usualWork` takes where nothing else is at work. */
export const usualMs = 10;

/** Work as readers of text have it: a megabyte, line by line. */
function usualWork(): void {
	usualText
		.replaceAll('\r\n', '\n')
		.split('\n')
		.map((line) => line.toUpperCase())
		.join('\n');
}

/**
 * True only when each of several runs takes longer; the second and third are made only when the one before did. Beside other
 * work a processor does less in the same CPU time, so what takes too long is compared with what the usual work takes then.
 * `cpuMs` is for a test of this measure.
 */
export function isSlowEachTime(run: () => void, { limitMs, repeats }: SlowRule, cpuMs: CpuMs = cpuMsOf): boolean {
	for (let repeat = 0; repeat < repeats; repeat += 1) {
		if (!isOver(limitMs, cpuMs(run), cpuMs)) {
			return false;
		}
	}
	return true;
}

/** The same of work that is waited for. */
export async function isSlowEachTimeAwaited(
	run: () => Promise<unknown>,
	{ limitMs, repeats }: SlowRule,
): Promise<boolean> {
	for (let repeat = 0; repeat < repeats; repeat += 1) {
		const before = process.cpuUsage();
		await run();
		if (!isOver(limitMs, cpuMsSince(before), cpuMsOf)) {
			return false;
		}
	}
	return true;
}

/** Counting branches makes code slower. */
const isCounted = process.env['NODE_V8_COVERAGE'] !== undefined;

function isOver(limitMs: number, ms: number, cpuMs: CpuMs): boolean {
	return !isCounted && ms > limitMs && ms > (limitMs * cpuMs(usualWork)) / usualMs;
}

/**
 * How much longer twice as much may take at most. What grows with the square of its size takes four times as long. Collecting
 * garbage, and what no longer fits near the processor beside other work, make up to three of two now and then.
 */
export const mostGrowth = 3.1;

/** One look at how time grows. */
interface Look {
	/** How often the size is doubled. */
	readonly doublings: number;
	/** How long what is timed at once has to take to be measured. */
	readonly leastMs: number;
	readonly rounds: number;
	/** Of fewer the middle one may be the machine's. */
	readonly leastRounds: number;
	/** CPU time after which the least rounds are enough: what they leave doubtful is for the next look to tell. */
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
	{
		doublings: 2,
		leastMs: 2,
		rounds: 60,
		leastRounds: 3,
		enoughMs: 300,
		growthOf: (ascending) => ascending.at(-1) ?? 0,
	},
	{
		doublings: 3,
		leastMs: 3,
		rounds: 41,
		leastRounds: 9,
		enoughMs: 3000,
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
 * four times and, where that is doubtful, eight times that. `cpuMs` is for a test of this measure.
 *
 * The sizes take turns of a few milliseconds, and each turn does the same amount of work in all: the least size is done as
 * often as it goes into the largest. Turns that follow each other are compared, and the middle of many such comparisons
 * counts. So it makes no difference whether the machine is busy: what slows one turn down mostly slows the next one too,
 * and long turns are not slowed down more often than short ones. The best time of each size would not do, since a busy
 * machine may leave one of them alone and never the other.
 */
export function growthOf<T>(
	run: (input: T) => unknown,
	make: (size: number) => T,
	size: number,
	cpuMs: CpuMs = cpuMsOf,
): number {
	let growth = Number.POSITIVE_INFINITY;
	for (const look of looks) {
		const works = Array.from({ length: look.doublings + 1 }, (_, doublings): Work => {
			const input = make(size * 2 ** doublings);
			return (repeats) =>
				cpuMs(() => {
					for (let repeat = 0; repeat < repeats; repeat += 1) {
						run(input);
					}
				});
		});
		growth = growthSeen(works, look);
		if (growth <= goodGrowth) {
			break;
		}
	}
	return growth;
}

type CpuMs = (run: () => void) => number;
/** Does the work of one size again and again, and answers how long that took in all. */
type Work = (repeats: number) => number;

function growthSeen(works: readonly Work[], look: Look): number {
	const { doublings, leastMs, rounds, leastRounds, enoughMs, growthOf: of } = look;
	const times = timesOfLargest(works, leastMs);
	if (times === undefined) {
		return 1;
	}
	const repeats = works.map((_, at) => times * 2 ** (doublings - at));
	/** What each size takes once, by round. */
	const rates: number[][] = [];
	let spentMs = 0;
	let growth = 1;
	for (let round = 1; round <= rounds; round += 1) {
		const seen = works.map((work, at) => work(repeats[at] ?? 1));
		rates.push(seen.map((ms, at) => ms / (repeats[at] ?? 1)));
		spentMs += seen.reduce((sum, ms) => sum + ms, 0);
		growth = growthIn(rates, of);
		if (round >= leastRounds && (growth <= goodGrowth || spentMs >= enoughMs)) {
			break;
		}
	}
	return growth;
}

function growthIn(rates: readonly (readonly number[])[], of: Look['growthOf']): number {
	const [first = []] = rates;
	const isHarmless = rates.some((rate) => (rate[2] ?? 0) < harmlessMs);
	const steps = first.slice(1).map((_, at) => median(rates.map((rate) => (rate[at + 1] ?? 0) / (rate[at] ?? 1))));
	return isHarmless ? 1 : of(steps.toSorted((a, b) => a - b));
}

function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** How often the largest work has to be done to be measured; `undefined` when four times the least is harmless. */
function timesOfLargest(works: readonly Work[], leastMs: number): number | undefined {
	const [, , atFourTimes] = works;
	const largest = works.at(-1);
	if (largest === undefined || atFourTimes === undefined) {
		throw new Error('Growth shows at two doublings and more');
	}
	// The first turns are slower than those that follow.
	for (let turn = 0; turn < 5; turn += 1) {
		const ms = atFourTimes(1);
		if (ms < harmlessMs) {
			return undefined;
		}
		if (ms > harmlessMs * 5) {
			break;
		}
	}
	let times = 1;
	for (let ms = largest(1); ms < leastMs && times < mostRepeats; ms = largest(times)) {
		const wanted = Math.ceil((times * leastMs) / Math.max(ms, leastMs / mostRepeats));
		times = Math.min(Math.max(wanted, times * 2), mostRepeats);
	}
	return times;
}
