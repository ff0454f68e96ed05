import { readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { eventually } from '../../support/eventually.ts';

interface Process {
	readonly pid: number;
	readonly parent: number;
	readonly command: string;
}

/** Kills the extension hosts below a server, and only those. Returns their number. Linux only. */
export function killExtensionHosts(serverPid: number): number {
	return extensionHosts(serverPid).filter((pid) => isSignalled(pid, 'SIGKILL')).length;
}

/** Pauses the extension hosts below a server, as on an overloaded machine. Returns a function that resumes them. */
export function pauseExtensionHosts(serverPid: number): () => void {
	const paused = extensionHosts(serverPid).filter((pid) => isSignalled(pid, 'SIGSTOP'));
	return () => paused.forEach((pid) => isSignalled(pid, 'SIGCONT'));
}

/** False if the process has ended meanwhile. */
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
 * Kills the extension hosts of closed windows, which the server keeps for a possible reconnect, and waits until none
 * can write any more.
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
				// The program's name is in parentheses and may contain any character.
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
