import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';

/**
 * Canonical key of a folder: links resolved, slashes, lower case on case-insensitive disks (`isCaseless`). Git and the
 * editor spell folders differently.
 */
export async function folderKey(path: string, isCaseless: boolean): Promise<string> {
	const real = await realpath(path).catch(() => resolve(path));
	const slashed = real.replaceAll(sep, '/');
	return isCaseless ? slashed.toLowerCase() : slashed;
}
