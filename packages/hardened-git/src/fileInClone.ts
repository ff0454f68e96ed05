import type { Buffer } from 'node:buffer';
import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep, resolve } from 'node:path';

/** Kind of a path in a clone's working tree. `outside`: its name or a link leads out of the clone. */
export type FoundInClone = 'file' | 'folder' | 'missing' | 'outside';

/** Follows links. `path`: relative to `root`, with slashes, untrusted. */
export async function fileInClone(root: string, path: string): Promise<FoundInClone> {
	try {
		const top = await realpath(root);
		const end = await realpath(join(root, path));
		if (!isInside(top, end) || !isInside(root, join(root, path))) {
			return 'outside';
		}
		return (await stat(end)).isDirectory() ? 'folder' : 'file';
	} catch {
		return 'missing';
	}
}

/** Limit of files to read. */
const mostBytes = 16_000_000;

/** Content of a regular file in the working tree; `undefined` for everything else. Does not follow links. */
export async function regularFile(root: string, path: string): Promise<Buffer | undefined> {
	if ((await fileInClone(root, path)) !== 'file') {
		return undefined;
	}
	const file = join(root, path);
	const found = await lstat(file).catch(() => undefined);
	return found?.isFile() === true && found.size <= mostBytes ? await readFile(file) : undefined;
}

function isInside(top: string, path: string): boolean {
	const way = relative(top, path);
	return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * Canonical key of a folder: links resolved, slashes, lower case on case-insensitive disks (`isCaseless`). Git and the
 * editor spell folders differently.
 */
export async function folderKey(path: string, isCaseless: boolean): Promise<string> {
	const real = await realpath(path).catch(() => resolve(path));
	const slashed = real.replaceAll(sep, '/');
	return isCaseless ? slashed.toLowerCase() : slashed;
}
