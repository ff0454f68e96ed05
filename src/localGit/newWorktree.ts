import { lstat, realpath, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { gitPath, namedPrograms, runStep, toldBy } from './applyState.ts';
import { GitFailure } from './gitFailure.ts';
import { branchArgument, idArgument, isSafeFolderName } from './gitNames.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** New folder with its own branch, at the base of the series. */
export interface WorktreeTarget {
	readonly kind: 'worktree';
	/** Absolute path of the parent folder. */
	readonly parent: string;
	/** Name of the new folder; must not exist. */
	readonly name: string;
	/** Preferred name; gets a number if it exists. */
	readonly branch: string;
	/** Full id: the `base-commit:` if the clone has it. */
	readonly commit: string;
}

export interface NewWorktree {
	readonly folder: string;
	/** Short name, and its start commit. */
	readonly branch: string;
	readonly commit: string;
}

/**
 * Creates a worktree with files; `undefined` if we cannot override the configuration. Removes incomplete worktrees.
 * Throws `GitFailure`.
 */
export async function makeWorktree(
	git: HardenedGit,
	root: string,
	{ parent, name, branch: wished, commit }: WorktreeTarget,
	signal: AbortSignal,
): Promise<NewWorktree | undefined> {
	if (!isAbsolute(parent) || !isSafeFolderName(name)) {
		throw new GitFailure({ kind: 'refused', what: 'folder' });
	}
	idArgument(commit);
	const folder = join(await realpath(parent), name);
	if (await isThere(folder)) {
		throw new GitFailure({ kind: 'folderTaken' });
	}
	if (await isLinked(git, root, signal)) {
		return undefined;
	}
	const programs = await namedPrograms(git, root, signal);
	if (!programs) {
		return undefined;
	}
	const branch = await freeBranch(git, root, branchArgument(wished), signal);
	const made: NewWorktree = { folder, branch, commit };
	const clearing = new AbortController().signal;
	try {
		await toldBy(git, root, { kind: 'addWorktree', folder, branch, commit, programs }, signal);
		// Read again, because the configuration may include files for this branch.
		const there = await namedPrograms(git, folder, signal);
		if (there) {
			await writeFile(await gitPath(git, folder, 'forge-desk-worktree', signal), '', { flag: 'wx' });
			await toldBy(git, folder, { kind: 'fillWorktree', programs: there }, signal);
			return made;
		}
	} catch (error) {
		if (!isTaken(error)) {
			await dropWorktree(git, root, made, clearing);
		}
		throw error;
	}
	await dropWorktree(git, root, made, clearing);
	return undefined;
}

/** Another process created the folder or branch at the same time, so it is not ours. */
function isTaken(error: unknown): boolean {
	return error instanceof GitFailure && /fatal: .* already exists/.test(error.message);
}

/** Removes a new worktree with all files, and its branch unless the branch has moved. */
export async function dropWorktree(
	git: HardenedGit,
	root: string,
	{ folder, branch, commit }: NewWorktree,
	signal: AbortSignal,
): Promise<void> {
	const programs = (await namedPrograms(git, root, signal)) ?? [];
	await runStep(git, root, { kind: 'removeWorktree', folder, isForced: true, programs }, signal);
	// The branch is checked out while the folder exists.
	if (!(await isThere(folder))) {
		await runStep(git, root, { kind: 'dropBranch', branch, commit, programs }, signal);
	}
}

async function isThere(path: string): Promise<boolean> {
	return await lstat(path).then(
		() => true,
		() => false,
	);
}

/** True if the worktree metadata would go elsewhere through a link. */
async function isLinked(git: HardenedGit, root: string, signal: AbortSignal): Promise<boolean> {
	const how = { folder: root, timeMs: 60_000, outputBytes: 100_000 };
	const { output } = await git.run({ kind: 'gitFolder' }, how, signal);
	const folder = resolve(root, output.toString('utf8').replace(/\r?\n$/, ''), 'worktrees');
	return await lstat(folder).then(
		(found) => !found.isDirectory(),
		() => false,
	);
}

const mostNumbers = 1000;

async function freeBranch(git: HardenedGit, root: string, wished: string, signal: AbortSignal): Promise<string> {
	const how = { folder: root, timeMs: 60_000, outputBytes: 64_000_000 };
	const { output } = await git.run({ kind: 'branches' }, how, signal);
	// Some disks ignore case, and a branch cannot be below another one.
	const taken = new Set(output.toString('utf8').toLowerCase().trimEnd().split('\n'));
	const isFree = (name: string): boolean => !taken.has(`refs/heads/${name.toLowerCase()}`);
	for (let number = 1; number < mostNumbers; number++) {
		const name = number === 1 ? wished : `${wished}-${number}`;
		if (isFree(name)) {
			return branchArgument(name);
		}
	}
	throw new GitFailure({ kind: 'refused', what: 'branch' });
}
