import { readdirSync, readFileSync } from 'node:fs';
import { markOf } from './leftovers.ts';

/** A tick of /proc: 100 in a second on every Linux. */
const tickMs = 10;

function read(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		// Ended, of another user, or another system.
		return '';
	}
}

/** Sum of two neighbouring fields of a `/proc/PID/stat`, in milliseconds. Counted from 1, as in its manual. */
export function ticksIn(stat: string, firstField: number): number {
	// The third field follows the program's name, which is in parentheses and may contain anything.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[firstField - 3] ?? 0) + Number(fields[firstField - 2] ?? 0)) * tickMs;
}

/**
 * CPU time of all processes that this one has waited for, and of those that they waited for; 0 on other systems. Processes
 * that were killed together with their parents are missing.
 */
export function waitedForCpuMs(): number {
	return ticksIn(read('/proc/self/stat'), 16);
}

/** Samples running processes: no parent waits for those that are killed together with it. */
export interface CpuSampler {
	sample(): void;
	/** CPU time of all processes with the mark or one below it, at their last sample. */
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

export function openCpuSampler(mark: string): CpuSampler {
	/** By process id; undefined for processes of others. */
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
				// Less than before: it has ended, and may have a successor with its id.
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
