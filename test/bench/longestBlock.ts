/** The longest block of the event loop while `run` runs, in milliseconds: the smallest of `runs`. */
export function longestBlock(run: () => Promise<unknown>, runs = 3): Promise<number> {
	return bestOf(runs, () => longestTurn(run));
}

/** The smallest figure of `runs` in turn. */
export async function bestOf(runs: number, run: () => Promise<number>): Promise<number> {
	let best = Number.POSITIVE_INFINITY;
	for (let round = 0; round < runs; round += 1) {
		best = Math.min(best, await run());
	}
	return best;
}

/** Systems count the CPU time of a thread in steps of this size. */
const tickMs = 4;

/**
 * Times every turn of the event loop, by immediates that schedule the next one. The time in which other programs had the
 * processor does not count.
 */
async function longestTurn(run: () => Promise<unknown>): Promise<number> {
	let longestMs = 0;
	let isOver = false;
	let lastMs = performance.now();
	let lastUsage = process.threadCpuUsage();
	const watch = (): void => {
		const nowMs = performance.now();
		const { user, system } = process.threadCpuUsage(lastUsage);
		longestMs = Math.max(longestMs, Math.min(nowMs - lastMs, (user + system) / 1000 + tickMs));
		lastMs = nowMs;
		lastUsage = process.threadCpuUsage();
		if (!isOver) {
			setImmediate(watch);
		}
	};
	setImmediate(watch);
	await run();
	// Counts the last turn of `run`, too.
	await new Promise((resolve) => setImmediate(resolve));
	isOver = true;
	return longestMs;
}
