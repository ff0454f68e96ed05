import type { Tree, TreeEntry } from '../../../forge/repository.ts';
import { entryKind, isSafeName } from '../../../state/repositories/repositoryEntries.ts';

/** In the order in which they are looked for, in whatever case they are written. */
const names = ['readme.md', 'readme.markdown', 'readme', 'readme.txt', 'readme.rst'];

/** The entry of a root that is taken for its README. */
export function readmeIn({ entries }: Tree): TreeEntry | undefined {
	const files = entries.filter((entry) => isFile(entry) && isSafeName(entry.name));
	return names
		.map((wanted) => files.find(({ name }) => name.toLowerCase() === wanted))
		.find((entry) => entry !== undefined);
}

function isFile(entry: TreeEntry): boolean {
	const kind = entryKind(entry);
	return kind === 'file' || kind === 'executable';
}
