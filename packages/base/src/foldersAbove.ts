/** No repository is deeper, and a path in a mail may be all slashes. */
const mostFolders = 200;

/** `a` and `a/b` for `a/b/c`; empty for a path beyond the limit. */
export function foldersAbove(path: string): readonly string[] {
	const folders: string[] = [];
	for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
		if (folders.length === mostFolders) {
			return [];
		}
		folders.push(path.slice(0, slash));
	}
	return folders;
}
