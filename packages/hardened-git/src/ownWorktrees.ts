import { lstat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { applyCommands } from './applyCommands.ts';
import { applyState, branchIn, gitPath, namedPrograms } from './applyState.ts';
import { GitFailure } from './gitFailure.ts';
import { lineOf, runText, type HardenedGit } from './hardenedGit.ts';

/** A worktree that we made for a series. */
export interface OwnWorktree {
	readonly folder: string;
	/** Short name; `undefined` on a detached HEAD. */
	readonly branch: string | undefined;
	/**
	 * Removing the worktree may lose work: uncommitted changes, submodules, an operation in progress, a detached HEAD,
	 * or an unknown number of unpushed commits.
	 */
	readonly hasChanges: boolean;
	/** Commits on no remote-tracking branch. */
	readonly unpushed: number;
	/** Ignored files and folders, relative to the folder. Removal deletes them, and no commit contains them. */
	readonly ignored: readonly string[];
}

/**
 * Our worktrees of a clone. Skips missing folders and folders where git fails. Throws `GitFailure` if git fails in the
 * clone.
 */
export async function ownWorktrees(
	git: HardenedGit,
	root: string,
	signal: AbortSignal,
): Promise<readonly OwnWorktree[]> {
	const lines = (await lineOf(git, root, applyCommands.worktrees(), signal)).split(/\r?\n/);
	const folders = lines.flatMap((line) => (line.startsWith('worktree ') ? [line.slice('worktree '.length)] : []));
	const found: OwnWorktree[] = [];
	for (const folder of folders.filter((each) => isAbsolute(each))) {
		const own = await ownWorktree(git, resolve(folder), signal).catch((error: unknown) => {
			if (!(error instanceof GitFailure)) {
				throw error;
			}
			return undefined;
		});
		found.push(...(own ? [own] : []));
	}
	return found;
}

/** Current state of a worktree; `undefined` if it is missing or not ours. Throws `GitFailure`. */
async function ownWorktree(git: HardenedGit, folder: string, signal: AbortSignal): Promise<OwnWorktree | undefined> {
	const found = await lstat(folder).catch(() => undefined);
	if (found?.isDirectory() !== true) {
		return undefined;
	}
	const mark = await lstat(await gitPath(git, folder, 'forge-desk-worktree', signal)).catch(() => undefined);
	if (mark?.isFile() !== true) {
		return undefined;
	}
	const programs = await namedPrograms(git, folder, signal);
	const told = programs && (await lineOf(git, folder, applyCommands.changes(programs), signal));
	const rows = told?.split('\0').filter((row) => row !== '');
	const ignored = rows?.flatMap((row) => (row.startsWith(ignoredSign) ? [row.slice(ignoredSign.length)] : [])) ?? [];
	const { kind } = await applyState(git, folder, signal);
	const { code, text } = await runText(git, folder, applyCommands.unpushed(), signal);
	const branch = await branchIn(git, folder, signal);
	return {
		folder,
		branch,
		hasChanges: [
			rows?.length !== ignored.length,
			kind !== 'none',
			branch === undefined,
			code !== 0,
			// Submodules may have changes, and git does not remove worktrees with submodules.
			(await lstat(await gitPath(git, folder, 'modules', signal)).catch(() => undefined)) !== undefined,
		].includes(true),
		unpushed: code === 0 ? Number(text.trim()) : 0,
		ignored,
	};
}

const ignoredSign = '!! ';

export interface RemovableWorktree {
	/** The clone, or another worktree that stays. */
	readonly root: string;
	readonly folder: string;
	/** Ignored files that the user agreed to lose. */
	readonly ignored: readonly string[];
}

export type WorktreeRemoval =
	| { readonly kind: 'removed' }
	/** The folder is missing or not ours. */
	| { readonly kind: 'notOurs' }
	/** The folder has uncommitted changes or further ignored files. */
	| { readonly kind: 'hasChanges' }
	/** Git refused for another reason, such as a lock. */
	| { readonly kind: 'refused'; readonly complaint: string };

/**
 * Removes a worktree made for a series after checking its current state. Keeps branch and commits. Throws `GitFailure`.
 */
export async function removeWorktree(
	git: HardenedGit,
	{ root, folder, ignored }: RemovableWorktree,
	signal: AbortSignal,
): Promise<WorktreeRemoval> {
	const now = await ownWorktree(git, folder, signal);
	const programs = now && (await namedPrograms(git, folder, signal));
	if (!programs) {
		return { kind: 'notOurs' };
	}
	// Git deletes ignored files without a warning.
	if (now.hasChanges || now.ignored.some((path) => !ignored.includes(path))) {
		return { kind: 'hasChanges' };
	}
	const command = applyCommands.removeWorktree(folder, false, programs);
	const { code, complaint } = await runText(git, root, command, signal);
	if (code === 0) {
		return { kind: 'removed' };
	}
	return /contains modified or untracked files/.test(complaint)
		? { kind: 'hasChanges' }
		: { kind: 'refused', complaint };
}
