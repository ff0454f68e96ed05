import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Only the user may read what is kept. */
const fileMode = 0o600;
/** The same for folders of such files. */
export const privateFolderMode = 0o700;

/**
 * Writes a file at once: what the process may lose by being killed must not wait for a thread of the pool, all of which may
 * be looking up names or waiting for other files. A reader sees the old text or the new one and never half of it. A text
 * that does not fit leaves nothing behind, and what the disk says is thrown.
 */
export function replaceNow(path: string, text: string): void {
	// Another window may write the same file.
	const unfinished = `${path}.${process.pid}.new`;
	try {
		writeFileSync(unfinished, text, { mode: fileMode });
		renameSync(unfinished, path);
	} catch (error) {
		rmSync(unfinished, { force: true });
		throw error;
	}
}
