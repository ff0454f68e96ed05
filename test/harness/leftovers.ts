import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { limitMs } from '../support/pace.ts';

/** Variable that marks every process of a run. Its value is a path: run, stage, and further runs that a stage starts. */
export const runMark = 'FORGE_DESK_RUN';

export interface Leftover {
	readonly pid: number;
	readonly command: string;
}

function readOf(pid: string, name: string): string {
	try {
		return readFileSync(`/proc/${pid}/${name}`, 'utf8').replaceAll('\0', ' ');
	} catch {
		// Ended, or of another user.
		return '';
	}
}

/** The mark in an environment with spaces between variables; may be empty. */
export function markOf(environment: string): string {
	return new RegExp(`(?:^| )${runMark}=(\\S+)`).exec(environment)?.[1] ?? '';
}

/** True for the mark and those below it. */
export function carriesMark(environment: string, mark: string): boolean {
	const own = markOf(environment);
	return own === mark || own.startsWith(`${mark}/`);
}

/** Processes with the mark or one below it. Works on Linux only. */
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

/** Ends the marked processes, and returns them. */
export function endLeftovers(mark: string): readonly Leftover[] {
	const found = markedProcesses(mark);
	for (const { pid } of found) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// It has ended.
		}
	}
	return found;
}

/** Waits for the processes of a finished stage, ends those that stay, and returns them. */
export async function awaitLeftovers(mark: string, graceMs = 3_000): Promise<readonly Leftover[]> {
	const end = performance.now() + limitMs(graceMs);
	while (performance.now() < end && markedProcesses(mark).length > 0) {
		await wait(100);
	}
	return endLeftovers(mark);
}
