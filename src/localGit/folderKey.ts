import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';

/**
 * The same text for all names of one folder: by where links lead, with slashes between its steps, and in one case where
 * the disk knows no other (`isCaseless`). Git and the editor write the same folder differently.
 */
export async function folderKey(path: string, isCaseless: boolean): Promise<string> {
	const real = await realpath(path).catch(() => resolve(path));
	const slashed = real.replaceAll(sep, '/');
	return isCaseless ? slashed.toLowerCase() : slashed;
}
