import { readdirSync, readFileSync } from 'node:fs';
import { markOf } from './leftovers.ts';

/** How long a tick of /proc is: 100 in a second on every Linux that there is. */
const tickMs = 10;

function read(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		// The process has ended, belongs to somebody else, or this is another system.
		return '';
	}
}

/** Sums two neighbouring fields of a `/proc/PID/stat`, counted from 1 as in its manual, as milliseconds. */
export function ticksIn(stat: string, firstField: number): number {
	// The name of the program stands in parentheses and may hold anything; the third field comes behind it.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[firstField - 3] ?? 0) + Number(fields[firstField - 2] ?? 0)) * tickMs;
}

/**
 * CPU time of all processes that this one has waited for, with all that those waited for in turn; 0 where the system does
 * not tell. What was killed together with whoever would have waited for it is missing.
 */
export function waitedForCpuMs(): number {
	return ticksIn(read('/proc/self/stat'), 16);
}

/** Looks at processes while they run, because nobody waits for those that are killed together. */
export interface CpuSampler {
	/** Looks at all processes that are marked now. */
	sample(): void;
	/** CPU time of all processes with the mark or one below it, as it was seen last. */
	cpuMs(mark: string): number;
}

function otherProcesses(): readonly string[] {
	return process.platform === 'linux'
		? readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
		: [];
}

interface Seen {
	readonly mark: string;
	readonly cpuMs: number;
}

/** For the processes with this mark or one below it. */
export function openCpuSampler(mark: string): CpuSampler {
	/** What is known of the processes that run, by their number; undefined for those of others. */
	let running = new Map<string, Seen | undefined>();
	const ended = new Map<string, number>();
	const isBelow = (one: string, other: string): boolean => one === other || one.startsWith(`${other}/`);
	const look = (pid: string): Seen | undefined => {
		const own = running.has(pid) ? running.get(pid)?.mark : markOf(read(`/proc/${pid}/environ`).replaceAll('\0', ' '));
		return own !== undefined && isBelow(own, mark)
			? { mark: own, cpuMs: ticksIn(read(`/proc/${pid}/stat`), 14) }
			: undefined;
	};
	return {
		sample() {
			const next = new Map(otherProcesses().map((pid) => [pid, look(pid)]));
			for (const [pid, seen] of running) {
				// A process that took less than before has just ended, or is another one with its number.
				if (seen !== undefined && (next.get(pid)?.cpuMs ?? 0) < seen.cpuMs) {
					ended.set(seen.mark, (ended.get(seen.mark) ?? 0) + seen.cpuMs);
				}
			}
			running = next;
		},
		cpuMs(of) {
			const endedMs = [...ended].filter(([each]) => isBelow(each, of)).map(([, cpuMs]) => cpuMs);
			const runningMs = [...running.values()].map((seen) => (seen && isBelow(seen.mark, of) ? seen.cpuMs : 0));
			return [...endedMs, ...runningMs].reduce((sum, cpuMs) => sum + cpuMs, 0);
		},
	};
}
