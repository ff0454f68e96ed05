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

/** A field of a `/proc/PID/stat`, counted from 1 as in its manual, and at least 3. */
function fieldIn(stat: string, field: number): number {
	// The third field follows the program's name, which is in parentheses and may contain anything.
	return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[field - 3] ?? 0);
}

/** Sum of two neighbouring fields of a `/proc/PID/stat`, in milliseconds. */
export function ticksIn(stat: string, firstField: number): number {
	return (fieldIn(stat, firstField) + fieldIn(stat, firstField + 1)) * tickMs;
}

/**
 * CPU time of all ended descendants whose parents waited for them; 0 on other systems. Processes killed together with
 * their parents are missing.
 */
export function waitedForCpuMs(): number {
	return ticksIn(read('/proc/self/stat'), 16);
}

/** Samples running processes, because nobody waits for a process that dies with its parent. */
export interface CpuSampler {
	sample(): void;
	/**
	 * CPU time of all processes with the mark or one below it, at their last sample. A process that hides its environment, as
	 * those of Chromium do, has the mark of its parent.
	 */
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
	const look = (pid: string, earlier: ReadonlyMap<string, Seen | undefined>): Seen | undefined => {
		if (running.has(pid) && running.get(pid) === undefined) {
			return undefined;
		}
		const stat = read(`/proc/${pid}/stat`);
		const own =
			running.get(pid)?.mark ??
			(markOf(read(`/proc/${pid}/environ`).replaceAll('\0', ' ')) || earlier.get(String(fieldIn(stat, 4)))?.mark);
		return own !== undefined && isBelow(own, mark) ? { mark: own, cpuMs: ticksIn(stat, 14) } : undefined;
	};
	return {
		sample() {
			const next = new Map<string, Seen | undefined>();
			// Parents come before their children.
			for (const pid of otherProcesses()) {
				next.set(pid, look(pid, next));
			}
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
