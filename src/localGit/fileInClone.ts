import { realpath, stat } from 'node:fs/promises';
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

function isInside(top: string, path: string): boolean {
	const way = relative(top, path);
	return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
