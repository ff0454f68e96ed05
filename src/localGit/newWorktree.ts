import { lstat, realpath, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { gitPath, namedPrograms, runStep, toldBy } from './applyState.ts';
import { GitFailure } from './gitFailure.ts';
import { branchArgument, idArgument, isSafeFolderName } from './gitNames.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** What a series is applied in: a new folder with a branch of its own, at the commit that the series was made for. */
export interface WorktreeTarget {
	readonly kind: 'worktree';
	/** Folder that the new one is made in; absolute. */
	readonly parent: string;
	/** Name of the new folder, which is not there yet. */
	readonly name: string;
	/** As wished; another number is put behind it where it is taken. */
	readonly branch: string;
	/** Full id: that of the line `base-commit:` where the clone has it. */
	readonly commit: string;
}

/** What was only just made. */
export interface NewWorktree {
	readonly folder: string;
	/** Short name, and the commit that it was made at. */
	readonly branch: string;
	readonly commit: string;
}

/**
 * The new folder with its files; `undefined` where the configuration cannot be overruled. What could not be made as a whole
 * is removed again. Throws `GitFailure`.
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
		// Read again there: a configuration may include files on this very branch.
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

/** Whether another process made the folder or the branch in the same moment: what is there is not ours. */
function isTaken(error: unknown): boolean {
	return error instanceof GitFailure && /fatal: .* already exists/.test(error.message);
}

/** Removes what was only just made: the folder whatever stands in it, and its branch where that still is where it was made. */
export async function dropWorktree(
	git: HardenedGit,
	root: string,
	{ folder, branch, commit }: NewWorktree,
	signal: AbortSignal,
): Promise<void> {
	const programs = (await namedPrograms(git, root, signal)) ?? [];
	await runStep(git, root, { kind: 'removeWorktree', folder, isForced: true, programs }, signal);
	// As long as the folder is there the branch is checked out in it.
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

/** Whether git would keep what it knows of its worktrees in a folder of somebody else. */
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
	// Case means nothing on some disks, and a branch cannot stand below another.
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
