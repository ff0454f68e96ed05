import { readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { eventually } from '../../support/eventually.ts';

interface Process {
	readonly pid: number;
	readonly parent: number;
	readonly command: string;
}

/** Ends the extension hosts below a server, and only those. Answers how many there were. Known on Linux only. */
export function killExtensionHosts(serverPid: number): number {
	return extensionHosts(serverPid).filter((pid) => isSignalled(pid, 'SIGKILL')).length;
}

/** Has the extension hosts below a server stand still, as on a machine that has no time for them, until what is answered is called. */
export function pauseExtensionHosts(serverPid: number): () => void {
	const paused = extensionHosts(serverPid).filter((pid) => isSignalled(pid, 'SIGSTOP'));
	return () => paused.forEach((pid) => isSignalled(pid, 'SIGCONT'));
}

/** False for one that has ended since it was seen. */
function isSignalled(pid: number, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): boolean {
	try {
		return process.kill(pid, signal);
	} catch (error) {
		if (v.is(v.object({ code: v.literal('ESRCH') }), error)) {
			return false;
		}
		throw error;
	}
}

/**
 * Ends the extension hosts of windows that were closed, which the server keeps for a while in case that their window comes
 * back, and waits until none is there to write anything more.
 */
export async function extensionHostsAreGone(serverPid: number): Promise<void> {
	killExtensionHosts(serverPid);
	await eventually(async () => extensionHosts(serverPid), []);
}

function extensionHosts(serverPid: number): readonly number[] {
	const all = processes();
	return all
		.filter((each) => each.command.includes('--type=extensionHost') && isBelow(each, serverPid, all) && serverPid > 1)
		.map(({ pid }) => pid);
}

function processes(): readonly Process[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.flatMap((name) => {
			try {
				const status = readFileSync(`/proc/${name}/stat`, 'utf8');
				const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
				// The name of the program stands in brackets and may hold anything.
				const [, parent = ''] = status.slice(status.lastIndexOf(')') + 2).split(' ');
				return [{ pid: Number(name), parent: Number(parent), command }];
			} catch {
				// It has ended meanwhile.
				return [];
			}
		});
}

function isBelow({ parent }: Process, top: number, all: readonly Process[]): boolean {
	if (parent === top) {
		return true;
	}
	const above = all.find(({ pid }) => pid === parent);
	return above !== undefined && above.pid > 1 && isBelow(above, top, all);
}
