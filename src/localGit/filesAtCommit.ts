import { entriesOfCommit } from './commitInClone.ts';
import { contentsInClone } from './contentsInClone.ts';
import { GitFailure } from './gitFailure.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** What stands at a path. `mode`: of links alone. */
type FileOrMissing =
	| { readonly kind: 'file'; readonly content: Uint8Array; readonly mode?: string }
	| { readonly kind: 'missing' }
	/** A folder or a submodule; or a file, link or submodule that the path would lead through. */
	| { readonly kind: 'notFile' };

/**
 * Looks these paths up in a commit of a clone, without its working tree. Throws `GitFailure`, also for a file that is too
 * large.
 */
export async function filesAtCommit(
	git: HardenedGit,
	root: string,
	{ commit, paths }: { readonly commit: string; readonly paths: readonly string[] },
	signal: AbortSignal,
): Promise<(path: string) => FileOrMissing> {
	const wanted = new Set(paths);
	const above = Map.groupBy(
		paths.flatMap((path) => foldersAbove(path).map((folder) => ({ folder, path }))),
		({ folder }) => folder,
	);
	const found = new Map<string, { readonly id: string; readonly isLink: boolean }>();
	const inTheWay = new Set<string>();
	const pass = (path: string): void => {
		foldersAbove(path).forEach((folder) => wanted.has(folder) && inTheWay.add(folder));
		above.get(path)?.forEach((below) => inTheWay.add(below.path));
	};
	for await (const { files, submodules } of entriesOfCommit(git, root, commit, signal)) {
		for (const { path, id, isLink } of files) {
			pass(path);
			if (wanted.has(path)) {
				found.set(path, { id, isLink });
			}
		}
		submodules.forEach(pass);
		submodules.filter((path) => wanted.has(path)).forEach((path) => inTheWay.add(path));
	}
	const ids = Array.from(found.values(), ({ id }) => id);
	const contents = await contentsInClone(git, root, ids, signal);
	return (path) => {
		const file = found.get(path);
		if (!file) {
			return { kind: inTheWay.has(path) ? 'notFile' : 'missing' };
		}
		const content = contents.get(file.id);
		if (!content) {
			throw new GitFailure({ kind: 'tooMuch' });
		}
		return file.isLink ? { kind: 'file', content, mode: '120000' } : { kind: 'file', content };
	};
}

/** `a` and `a/b` of `a/b/c`. */
function foldersAbove(path: string): readonly string[] {
	const steps = path.split('/');
	return steps.slice(1).map((_, at) => steps.slice(0, at + 1).join('/'));
}
