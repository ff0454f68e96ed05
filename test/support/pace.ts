import { availableParallelism, loadavg } from 'node:os';

/** However slow a machine is, nobody waits longer than so many times what was meant. */
const mostSlowness = 10;
const probeCpuMs = 20;

/** What was found out about this machine while this process runs. */
let seenSlowness = 1;

/** How much longer work takes than the CPU time that it needs: about 1 on an idle machine, 4 when four want each core. */
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

/** Notes how slow the machine is. To be called once by whoever runs tests in this process. */
export function measurePace(): void {
	noteSlowness(probedSlowness());
}

/** Notes that something took so many times as long as it usually does, such as the first window of an editor. */
export function noteSlowness(times: number): void {
	seenSlowness = Math.max(seenSlowness, times);
}

/** How many processes want each core at the moment. */
function load(): number {
	return (loadavg()[0] ?? 0) / availableParallelism();
}

/** How many times as long as usual the machine takes at this moment: 1 when it does nothing else. */
export function slownessNow(): number {
	return Math.max(1, probedSlowness(), load());
}

/**
 * A limit for what should take far less than `baseMs`: that itself on a machine that does nothing else, and more the
 * slower the machine is. For the end of waiting alone: no test may tell by a clock whether something is right.
 */
export function limitMs(baseMs: number): number {
	return baseMs * Math.min(mostSlowness, Math.max(1, seenSlowness, load()));
}
