import { createHash } from 'node:crypto';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { isMissing } from './objectFiles.ts';

/** Files readable only by the user. */
export const privateFileMode = 0o600;
/** Folders of such files. */
export const privateFolderMode = 0o700;

/**
 * Synchronous atomic write: text that must survive a crash cannot wait for the thread pool, which may be blocked.
 * Readers see the old or the new text. On errors, throws and leaves no temporary file. The next write into the folder
 * deletes temporary files of dead processes.
 */
export function replaceNow(path: string, text: string): void {
	// Another window may write the same file.
	const unfinished = `${path}.${process.pid}.new`;
	try {
		writeFileSync(unfinished, text, { mode: privateFileMode });
		renameSync(unfinished, path);
	} catch (error) {
		rmSync(unfinished, { force: true });
		throw error;
	}
	const folder = dirname(path);
	try {
		for (const name of readdirSync(folder)) {
			const [, writer] = /[.](\d{1,15})[.]new$/.exec(name) ?? [];
			// This process has renamed its own by now.
			if (writer !== undefined && (Number(writer) === process.pid || isGone(Number(writer)))) {
				rmSync(join(folder, name), { force: true });
			}
		}
	} catch {
		// The text is safe by now, and the next write tries again.
	}
}

/** Digits of a process's start: in a container, each process may get the id of the last one. */
export function startMark(): string {
	return Math.floor(performance.timeOrigin).toString(16);
}

/** Names a process in file names: computer, process id and start. */
export function processMark(pid: number, start: string = startMark()): string {
	return `${computerMark()}.${pid}.${start}`;
}

function computerMark(): string {
	return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

/** The process of a mark, as `own` sees it. Earlier versions wrote no start. */
export function processOf(mark: string, own: string): 'this' | 'ended' | 'unknown' {
	const [computer = '', pid = ''] = mark.split('.');
	const [ownComputer, ownPid] = own.split('.');
	if (mark === own) {
		return 'this';
	}
	return computer === ownComputer && (pid === ownPid || isGone(Number(pid))) ? 'ended' : 'unknown';
}

/** True if no process has this id. */
export function isGone(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return false;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'ESRCH';
	}
}

/** Flushes a file to disk. Does nothing if the file is gone. */
export async function flushFile(path: string): Promise<void> {
	try {
		const file = await open(path, 'r+');
		try {
			await file.datasync();
		} finally {
			await file.close();
		}
	} catch (error) {
		if (!isMissing(error)) {
			throw error;
		}
	}
}
