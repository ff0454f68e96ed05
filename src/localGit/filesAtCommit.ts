import { filesOfCommit } from './commitInClone.ts';
import { contentsInClone } from './contentsInClone.ts';
import { GitFailure } from './gitFailure.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** What stands at a path. `mode`: of links alone. */
type FileOrMissing =
	| { readonly kind: 'file'; readonly content: Uint8Array; readonly mode?: string }
	| { readonly kind: 'missing' };

/**
 * Looks these paths up in a commit of a clone, without its working tree. Submodules and folders are missing. Throws
 * `GitFailure`, also for a file that is too large.
 */
export async function filesAtCommit(
	git: HardenedGit,
	root: string,
	{ commit, paths }: { readonly commit: string; readonly paths: readonly string[] },
	signal: AbortSignal,
): Promise<(path: string) => FileOrMissing> {
	const wanted = new Set(paths);
	const found = new Map<string, { readonly id: string; readonly isLink: boolean }>();
	for await (const files of filesOfCommit(git, root, commit, signal)) {
		for (const { path, id, isLink } of files) {
			if (wanted.has(path)) {
				found.set(path, { id, isLink });
			}
		}
	}
	const ids = Array.from(found.values(), ({ id }) => id);
	const contents = await contentsInClone(git, root, ids, signal);
	return (path) => {
		const file = found.get(path);
		if (!file) {
			return { kind: 'missing' };
		}
		const content = contents.get(file.id);
		if (!content) {
			throw new GitFailure({ kind: 'tooMuch' });
		}
		return file.isLink ? { kind: 'file', content, mode: '120000' } : { kind: 'file', content };
	};
}
