import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from './objectFiles.ts';

/** Only the user may read what is kept. */
export const privateFileMode = 0o600;
/** The same for folders of such files. */
export const privateFolderMode = 0o700;

/**
 * Writes a file at once: what the process may lose by being killed must not wait for a thread of the pool, all of which may
 * be looking up names or waiting for other files. A reader sees the old text or the new one and never half of it. A text
 * that does not fit leaves nothing behind, and what the disk says is thrown. What processes left here that were ended in the
 * middle of this goes with the next text of any file of the folder.
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
	removeLeft(dirname(path));
}

/** The text is kept by now, so what the disk says here is not worth a word. */
function removeLeft(folder: string): void {
	try {
		for (const name of readdirSync(folder)) {
			const [, writer] = /[.](\d{1,15})[.]new$/.exec(name) ?? [];
			if (writer !== undefined && isGone(Number(writer))) {
				rmSync(join(folder, name), { force: true });
			}
		}
	} catch {
		// The next text tries again.
	}
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
