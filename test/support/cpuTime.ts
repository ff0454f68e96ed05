/**
 * CPU time of this process during `run`, in milliseconds. Much steadier than a clock on a busy machine. The time of the
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

/** A time that a run must exceed repeatedly before it counts as slow. */
export interface SlowRule {
	/** On a machine that does the usual work in `usualMs`; scales with slower machines. */
	readonly limitMs: number;
	readonly repeats: number;
}

const usualText = 'A line of plain text, and more of it.\r\n'.repeat(25_000);
/** Time of `usualWork` on an idle machine. */
export const usualMs = 10;

/** Typical work of a text reader: a megabyte, line by line. */
function usualWork(): void {
	usualText
		.replaceAll('\r\n', '\n')
		.split('\n')
		.map((line) => line.toUpperCase())
		.join('\n');
}

/**
 * True only if each of several runs exceeds the limit; a second and third run happen only after a slow one. Other work
 * on the machine slows a process down even in CPU time, so the limit scales with the current time of the usual work.
 * `cpuMs` is for a test of this function.
 */
export function isSlowEachTime(run: () => void, { limitMs, repeats }: SlowRule, cpuMs: CpuMs = cpuMsOf): boolean {
	for (let repeat = 0; repeat < repeats; repeat += 1) {
		if (!isOver(limitMs, cpuMs(run), cpuMs)) {
			return false;
		}
	}
	return true;
}

/** The same for asynchronous work. */
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

/** Coverage counters slow the code down. */
const isCounted = process.env['NODE_V8_COVERAGE'] !== undefined;

function isOver(limitMs: number, ms: number, cpuMs: CpuMs): boolean {
	return !isCounted && ms > limitMs && ms > (limitMs * cpuMs(usualWork)) / usualMs;
}

/**
 * Maximum growth for twice the size. Quadratic work takes four times as long. Garbage collection and cache misses
 * sometimes turn two into three.
 */
export const mostGrowth = 3.1;

/** One measurement of growth. */
interface Look {
	/** Number of doublings of the size. */
	readonly doublings: number;
	/** Minimum duration of a timed batch. */
	readonly leastMs: number;
	readonly rounds: number;
	/** With fewer rounds, the median may reflect the machine. */
	readonly leastRounds: number;
	/** CPU time after which the minimum of rounds suffices; the next look resolves doubts. */
	readonly enoughMs: number;
	/** Combines the growth of all doublings, given in ascending order. */
	readonly growthOf: (ascending: readonly number[]) => number;
}

/**
 * The second look checks growth that seems too fast in the first. A single doubling may grow because of the machine:
 * short work can miss a garbage collection that longer work always meets, and long strings use other memory than short
 * ones. Superlinear work grows at every doubling, so also at the median of three.
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
/** Growth below this needs no second look. */
const goodGrowth = 2.3;
/** Limit of repeats per batch. Shorter work is not measurable. */
const mostRepeats = 4096;
/** Four times the size in less time than this is harmless; its growth shows only the load of the machine. */
const harmlessMs = 0.5;

/**
 * Growth of time for twice the size, from `size` (ten thousand characters and more) to twice, four times and, in doubt,
 * eight times that. `cpuMs` is for a test of this function.
 * The sizes alternate in batches of a few milliseconds with equal total work: the smallest size repeats as often as it
 * goes into the largest. The result is the median over comparisons of adjacent batches. So load on the machine cancels
 * out: a slow phase mostly covers adjacent batches, and long batches are not slower than short ones. The best time per
 * size would be wrong, because a busy machine may spare one size and never the other.
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
/** Repeats the work of one size; returns the total time. */
type Work = (repeats: number) => number;

function growthSeen(works: readonly Work[], look: Look): number {
	const { doublings, leastMs, rounds, leastRounds, enoughMs, growthOf: of } = look;
	const times = timesOfLargest(works, leastMs);
	if (times === undefined) {
		return 1;
	}
	const repeats = works.map((_, at) => times * 2 ** (doublings - at));
	/** Time of a single run per size, by round. */
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

/** Repeats of the largest work for a measurable time; `undefined` if four times the smallest is harmless. */
function timesOfLargest(works: readonly Work[], leastMs: number): number | undefined {
	const [, , atFourTimes] = works;
	const largest = works.at(-1);
	if (largest === undefined || atFourTimes === undefined) {
		throw new Error('Growth shows at two doublings and more');
	}
	// The first batches are slower than later ones.
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
