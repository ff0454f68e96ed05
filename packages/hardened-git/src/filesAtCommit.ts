import { foldersAbove } from '@forge-desk/base/foldersAbove.ts';
import { submoduleBytes } from 'patchmail/git/submoduleBytes.ts';
import { entriesOfCommit, contentsInClone, type FileOfCommit } from './readClone.ts';
import { GitFailure } from './gitFailure.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** State of a path. `mode`: only for links and submodules. */
type FileOrMissing =
	| { readonly kind: 'file'; readonly content: Uint8Array; readonly mode?: string }
	| { readonly kind: 'missing' }
	/**
	 * A folder, or a path below a file, link or submodule. `inTheWay`: the blocking paths, if all were requested too.
	 */
	| { readonly kind: 'notFile'; readonly inTheWay?: readonly string[] };

/**
 * Looks paths up in a commit of a clone, without its working tree. A submodule has the content of git's diffs. Throws
 * `GitFailure`, also for too large files.
 */
export async function filesAtCommit(
	git: HardenedGit,
	root: string,
	{ commit, paths }: { readonly commit: string; readonly paths: readonly string[] },
	signal: AbortSignal,
): Promise<(path: string) => FileOrMissing> {
	const wanted = new Set(paths);
	const above = Map.groupBy(
		Array.from(wanted).flatMap((path) => foldersAbove(path).map((folder) => ({ folder, path }))),
		({ folder }) => folder,
	);
	const found = new Map<string, FileOfCommit>();
	const modules = new Map<string, string>();
	const inTheWay = new Map<string, Obstacles>();
	const block = (path: string, by: string): void => {
		const known = inTheWay.get(path) ?? { named: [], areAllNamed: true };
		if (wanted.has(by)) {
			known.named.push(by);
		} else {
			known.areAllNamed = false;
		}
		inTheWay.set(path, known);
	};
	const pass = (path: string): void => {
		foldersAbove(path).forEach((folder) => wanted.has(folder) && block(folder, path));
		above.get(path)?.forEach((below) => block(below.path, path));
	};
	for await (const { files, submodules } of entriesOfCommit(git, root, commit, signal)) {
		for (const file of files) {
			pass(file.path);
			if (wanted.has(file.path)) {
				found.set(file.path, file);
			}
		}
		for (const { path, id } of submodules) {
			pass(path);
			if (wanted.has(path)) {
				modules.set(path, id);
			}
		}
	}
	const ids = Array.from(found.values(), ({ id }) => id);
	const contents = await contentsInClone(git, root, ids, signal);
	return (path) => {
		const [file, module, obstacles] = [found.get(path), modules.get(path), inTheWay.get(path)];
		if (module !== undefined) {
			return { kind: 'file', content: submoduleBytes(module), mode: '160000' };
		}
		if (!file) {
			return obstacles === undefined
				? { kind: 'missing' }
				: { kind: 'notFile', ...(obstacles.areAllNamed ? { inTheWay: obstacles.named } : {}) };
		}
		const content = contents.get(file.id);
		if (!content) {
			throw new GitFailure({ kind: file.sizeBytes === undefined ? 'lacksFiles' : 'tooMuch' });
		}
		return file.isLink ? { kind: 'file', content, mode: '120000' } : { kind: 'file', content };
	};
}

/** Blocking paths that were requested too. */
interface Obstacles {
	readonly named: string[];
	areAllNamed: boolean;
}
