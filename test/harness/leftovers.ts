import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { limitMs } from '../support/pace.ts';

/**
 * The variable that marks every process started by a run. Its value is a path: the run, the stage, and below it the runs
 * that a stage starts in turn.
 */
export const runMark = 'FORGE_DESK_RUN';

export interface Leftover {
	readonly pid: number;
	readonly command: string;
}

function readOf(pid: string, name: string): string {
	try {
		return readFileSync(`/proc/${pid}/${name}`, 'utf8').replaceAll('\0', ' ');
	} catch {
		// The process has ended, or belongs to somebody else.
		return '';
	}
}

/** The mark in the environment of a process, whose variables are parted by spaces; empty when there is none. */
export function markOf(environment: string): string {
	return new RegExp(`(?:^| )${runMark}=(\\S+)`).exec(environment)?.[1] ?? '';
}

/** Whether a process with this environment belongs to what is marked so. */
export function carriesMark(environment: string, mark: string): boolean {
	const own = markOf(environment);
	return own === mark || own.startsWith(`${mark}/`);
}

/** Processes that carry the mark or one below it. Known on Linux only; none elsewhere. */
function markedProcesses(mark: string): readonly Leftover[] {
	if (process.platform !== 'linux') {
		return [];
	}
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
		.filter((name) => carriesMark(readOf(name, 'environ'), mark))
		.map((name) => ({ pid: Number(name), command: readOf(name, 'cmdline').slice(0, 200) }))
		.filter(({ command }) => command !== '');
}

/** Ends what still carries the mark, and says what that was. */
export function endLeftovers(mark: string): readonly Leftover[] {
	const found = markedProcesses(mark);
	for (const { pid } of found) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// It has ended in between.
		}
	}
	return found;
}

/** Gives the processes of a finished stage a moment to go, ends those that do not, and returns them. */
export async function awaitLeftovers(mark: string, graceMs = 3_000): Promise<readonly Leftover[]> {
	const end = performance.now() + limitMs(graceMs);
	while (performance.now() < end && markedProcesses(mark).length > 0) {
		await wait(100);
	}
	return endLeftovers(mark);
}
