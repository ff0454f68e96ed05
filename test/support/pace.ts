import { availableParallelism, loadavg } from 'node:os';

/** Limits grow to at most this multiple, on any machine. */
const mostSlowness = 10;
const probeCpuMs = 20;

/** The highest slowness measured in this process. */
let seenSlowness = 1;

/** Wall time of work relative to its CPU time: about 1 on an idle machine, 4 if four processes want each core. */
function probedSlowness(): number {
	const [cpuBefore, start] = [process.cpuUsage(), performance.now()];
	for (;;) {
		const { user, system } = process.cpuUsage(cpuBefore);
		const cpuMs = (user + system) / 1000;
		if (cpuMs >= probeCpuMs) {
			return (performance.now() - start) / cpuMs;
		}
	}
}

/** Measures the machine's slowness. The test runner calls it once. */
export function measurePace(): void {
	noteSlowness(probedSlowness());
}

/** Records that something took this multiple of its usual time, such as an editor's first window. */
export function noteSlowness(times: number): void {
	seenSlowness = Math.max(seenSlowness, times);
}

/** Number of processes that want each core now. */
function load(): number {
	return (loadavg()[0] ?? 0) / availableParallelism();
}

/** The machine's current slowness; 1 on an idle machine. */
export function slownessNow(): number {
	return Math.max(1, probedSlowness(), load());
}

/**
 * A timeout for something that should take far less than `baseMs`: `baseMs` on an idle machine, more on a slow one.
 * Only for giving up: no test may depend on the clock.
 */
export function limitMs(baseMs: number): number {
	return baseMs * Math.min(mostSlowness, Math.max(1, seenSlowness, load()));
}
