import { lstat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { applyState, branchIn, gitPath, namedPrograms, runStep, toldBy } from './applyState.ts';
import { GitFailure } from './gitFailure.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** A worktree of a clone that was made for a series. */
export interface OwnWorktree {
	readonly folder: string;
	/** Short name; `undefined` where none is checked out. */
	readonly branch: string | undefined;
	/**
	 * Whether something in it may be lost with it: it is not committed, git is in the middle of something there, no branch is
	 * checked out, so that nothing names its commits, or git cannot say which of them a remote has.
	 */
	readonly hasChanges: boolean;
	/** Commits that no branch of a remote has, as far as the clone knows. */
	readonly unpushed: number;
	/** Files and folders that git is told to ignore, seen from the folder: they are lost with it, and no commit has them. */
	readonly ignored: readonly string[];
}

/**
 * The worktrees of a clone that were made for series. Those whose folder is gone are left out, and so are those where git
 * cannot be asked. Throws `GitFailure` where the clone itself cannot be.
 */
export async function ownWorktrees(
	git: HardenedGit,
	root: string,
	signal: AbortSignal,
): Promise<readonly OwnWorktree[]> {
	const lines = (await toldBy(git, root, { kind: 'worktrees' }, signal)).split(/\r?\n/);
	const folders = lines.flatMap((line) => (line.startsWith('worktree ') ? [line.slice('worktree '.length)] : []));
	const found: OwnWorktree[] = [];
	for (const folder of folders.filter((each) => isAbsolute(each))) {
		const own = await ownWorktree(git, resolve(folder), signal).catch(unlessGone);
		found.push(...(own ? [own] : []));
	}
	return found;
}

function unlessGone(error: unknown): undefined {
	if (!(error instanceof GitFailure)) {
		throw error;
	}
}

/** Whether a folder is a worktree that was made for a series. */
async function isOwnWorktree(git: HardenedGit, folder: string, signal: AbortSignal): Promise<boolean> {
	const mark = await gitPath(git, folder, 'forge-desk-worktree', signal);
	return (await lstat(mark).catch(() => undefined))?.isFile() === true;
}

/** Whether git keeps submodules of a worktree. They may have changes, and git removes no worktree with submodules. */
async function hasSubmodules(git: HardenedGit, folder: string, signal: AbortSignal): Promise<boolean> {
	return (await lstat(await gitPath(git, folder, 'modules', signal)).catch(() => undefined)) !== undefined;
}

/** A worktree as it is now; `undefined` for a folder that is gone or was not made for a series. Throws `GitFailure`. */
export async function ownWorktree(
	git: HardenedGit,
	folder: string,
	signal: AbortSignal,
): Promise<OwnWorktree | undefined> {
	const found = await lstat(folder).catch(() => undefined);
	if (found?.isDirectory() !== true || !(await isOwnWorktree(git, folder, signal))) {
		return undefined;
	}
	const programs = await namedPrograms(git, folder, signal);
	const told = programs && (await toldBy(git, folder, { kind: 'changes', programs }, signal));
	const rows = told?.split('\0').filter((row) => row !== '');
	const ignored = rows?.flatMap((row) => (row.startsWith(ignoredSign) ? [row.slice(ignoredSign.length)] : [])) ?? [];
	const { kind } = await applyState(git, folder, signal);
	const { code, text } = await runStep(git, folder, { kind: 'unpushed' }, signal);
	const branch = await branchIn(git, folder, signal);
	return {
		folder,
		branch,
		hasChanges: [
			rows?.length !== ignored.length,
			kind !== 'none',
			branch === undefined,
			code !== 0,
			await hasSubmodules(git, folder, signal),
		].includes(true),
		unpushed: code === 0 ? Number(text.trim()) : 0,
		ignored,
	};
}

const ignoredSign = '!! ';
