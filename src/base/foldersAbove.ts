/** No repository nests deeper, and a path from a mail may be all slashes. */
const mostFolders = 200;

/** `a` and `a/b` of `a/b/c`; none of a path that is deeper than any repository's. */
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
