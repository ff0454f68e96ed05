import type { Buffer } from 'node:buffer';
import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';

/** What stands at a path of a clone's working tree. `outside`: something that leads out of the clone, by a link or by its name. */
export type FoundInClone = 'file' | 'folder' | 'missing' | 'outside';

/** Looks at a path, links followed to their end. `path` is below `root`, by slashes, and may come from anybody. */
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

/** A larger file is nobody's text, and is not read. */
const mostBytes = 16_000_000;

/** The content of a regular file of a clone's working tree; `undefined` for anything else. Links are not followed. */
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
