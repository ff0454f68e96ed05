import { lstat, realpath, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { NamedPrograms } from './applyOperation.ts';
import {
	applyState,
	gitPath,
	headCommit,
	namedPrograms,
	runStep,
	toldBy,
	type ApplyState,
	type StoppedState,
} from './applyState.ts';
import { GitFailure } from './gitFailure.ts';
import { branchArgument, idArgument, isSafeFolderName } from './gitNames.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** Where a series is applied. */
export type ApplyTarget =
	/** On the branch that is checked out in the clone. */
	| { readonly kind: 'here' }
	/** In a new folder with a branch of its own, at the commit that the series was made for. */
	| {
			readonly kind: 'worktree';
			/** Folder that the new one is made in; absolute. */
			readonly parent: string;
			/** Name of the new folder, which is not there yet. */
			readonly name: string;
			/** As wished; another number is put behind it where it is taken. */
			readonly branch: string;
			/** Full id: that of the line `base-commit:` where the clone has it. */
			readonly commit: string;
	  };

/** A series, as a mailbox of its patches in their order. */
export interface ApplyRequest {
	/** Top folder of the clone. */
	readonly root: string;
	readonly mailbox: Uint8Array;
	readonly target: ApplyTarget;
}

/** Why nothing was begun. */
export type ApplyRefused =
	/** Something is under way there already. */
	| 'busy'
	/** Changes that are not committed are in the way. */
	| 'dirty'
	/** The folder is not the top of its worktree, or the configuration puts the worktree elsewhere. */
	| 'otherFolder'
	/** The configuration names programs in a way that cannot be overruled. */
	| 'oddConfiguration'
	/** No series is stopped there. */
	| 'nothingStopped';

/** What came of a step. `folder`: where the files are. */
export type ApplyOutcome =
	/** All patches that were not skipped are commits now: those from `before` to `after`. */
	| { readonly kind: 'applied'; readonly folder: string; readonly before: string; readonly after: string }
	/** It was given up. `head`: what is checked out now; git goes back no further than over its own commits. */
	| { readonly kind: 'aborted'; readonly folder: string; readonly head: string }
	/** `before`: what was checked out before this step. */
	| {
			readonly kind: 'stopped';
			readonly folder: string;
			readonly before: string;
			readonly state: StoppedState;
			readonly complaint: string;
	  }
	| { readonly kind: 'refused'; readonly why: ApplyRefused }
	| { readonly kind: 'failed'; readonly complaint: string };

/**
 * Applies a series by `git am -3`. What the clone's configuration and attributes name is not run: no hooks, filters or
 * drivers of merges, no signing; and files are written in this folder alone. Throws `GitFailure`, in a workspace that is
 * not trusted too. A folder that was made for a series that could not be begun is removed again, and so is one for a series
 * that was given up on the way; on a branch what was applied by then is taken back.
 */
export async function applySeries(
	git: HardenedGit,
	{ root, mailbox, target }: ApplyRequest,
	signal: AbortSignal,
): Promise<ApplyOutcome> {
	if (target.kind === 'here') {
		return await start(git, root, mailbox, signal);
	}
	const folder = await makeWorktree(git, root, target, signal);
	if (folder === undefined) {
		return { kind: 'refused', why: 'oddConfiguration' };
	}
	try {
		const outcome = await start(git, folder, mailbox, signal);
		if (outcome.kind === 'refused' || outcome.kind === 'failed') {
			await dropWorktree(git, root, folder, signal);
		}
		return outcome;
	} catch (error) {
		await dropWorktree(git, root, folder, new AbortController().signal);
		throw error;
	}
}

/** Goes on after a person has solved conflicts, without the patch, or back to the beginning. */
export async function goOn(
	git: HardenedGit,
	folder: string,
	step: 'continue' | 'skip' | 'abort',
	signal: AbortSignal,
): Promise<ApplyOutcome> {
	const refused = await obstacle(git, folder, 'stopped', signal);
	if (refused !== undefined) {
		return { kind: 'refused', why: refused };
	}
	const programs = await namedPrograms(git, folder, signal);
	if (!programs) {
		return { kind: 'refused', why: 'oddConfiguration' };
	}
	const before = await headCommit(git, folder, signal);
	const { code, complaint } = await runStep(git, folder, { kind: step, programs }, signal);
	return step === 'abort' && code === 0
		? { kind: 'aborted', folder, head: await headCommit(git, folder, signal) }
		: await outcomeOf(git, { folder, programs, before, code, complaint }, signal);
}

async function start(
	git: HardenedGit,
	folder: string,
	mailbox: Uint8Array,
	signal: AbortSignal,
): Promise<ApplyOutcome> {
	const refused = await obstacle(git, folder, 'none', signal);
	const programs = refused === undefined ? await namedPrograms(git, folder, signal) : undefined;
	if (!programs) {
		return { kind: 'refused', why: refused ?? 'oddConfiguration' };
	}
	const before = await headCommit(git, folder, signal);
	try {
		const { code, complaint } = await runStep(git, folder, { kind: 'start', mailbox, programs }, signal);
		return await outcomeOf(git, { folder, programs, before, code, complaint }, signal);
	} catch (error) {
		const ending = new AbortController().signal;
		if ((await applyState(git, folder, ending)).kind !== 'none') {
			await runStep(git, folder, { kind: 'abort', programs }, ending);
		}
		throw error;
	}
}

/** Takes files with conflicts as they stand in the worktree now, so that the series can go on. Throws `GitFailure`. */
export async function stageSolved(
	git: HardenedGit,
	folder: string,
	paths: readonly string[],
	signal: AbortSignal,
): Promise<void> {
	const programs = await namedPrograms(git, folder, signal);
	if (!programs) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, 'a filter of an odd name');
	}
	await toldBy(git, folder, { kind: 'stage', paths, programs }, signal);
}

async function obstacle(
	git: HardenedGit,
	folder: string,
	wanted: ApplyState['kind'],
	signal: AbortSignal,
): Promise<ApplyRefused | undefined> {
	const { code, text } = await runStep(git, folder, { kind: 'top' }, signal);
	const top = code === 0 ? await realpath(text.replace(/\r?\n$/, '')).catch(() => undefined) : undefined;
	if (top === undefined || top !== (await realpath(folder))) {
		return 'otherFolder';
	}
	const { kind } = await applyState(git, folder, signal);
	return kind === wanted ? undefined : wanted === 'none' ? 'busy' : 'nothingStopped';
}

interface StepEnd {
	readonly folder: string;
	readonly programs: NamedPrograms;
	readonly before: string;
	readonly code: number | undefined;
	readonly complaint: string;
}

async function outcomeOf(
	git: HardenedGit,
	{ folder, programs, before, code, complaint }: StepEnd,
	signal: AbortSignal,
): Promise<ApplyOutcome> {
	const state = await applyState(git, folder, signal);
	if (state.kind === 'stopped' && /^(?:error|fatal): Dirty index/m.test(complaint) && state.unmerged.length === 0) {
		// Git keeps what it could not even begin.
		await toldBy(git, folder, { kind: 'quit', programs }, signal);
		return { kind: 'refused', why: 'dirty' };
	}
	if (state.kind === 'stopped') {
		return { kind: 'stopped', folder, before, state, complaint };
	}
	return code === 0
		? { kind: 'applied', folder, before, after: await headCommit(git, folder, signal) }
		: { kind: 'failed', complaint };
}

type WorktreeTarget = Extract<ApplyTarget, { kind: 'worktree' }>;

/** The new folder with its files; `undefined` where the configuration cannot be overruled. */
async function makeWorktree(
	git: HardenedGit,
	root: string,
	{ parent, name, branch: wished, commit }: WorktreeTarget,
	signal: AbortSignal,
): Promise<string | undefined> {
	if (!isAbsolute(parent) || !isSafeFolderName(name)) {
		throw new GitFailure({ kind: 'refused', what: 'folder' });
	}
	idArgument(commit);
	const folder = join(await realpath(parent), name);
	await lstat(folder).then(
		() => {
			throw new GitFailure({ kind: 'folderTaken' });
		},
		() => undefined,
	);
	if (await isLinked(git, root, signal)) {
		return undefined;
	}
	const programs = await namedPrograms(git, root, signal);
	if (!programs) {
		return undefined;
	}
	const branch = await freeBranch(git, root, branchArgument(wished), signal);
	await toldBy(git, root, { kind: 'addWorktree', folder, branch, commit, programs }, signal);
	try {
		// Read again there: a configuration may include files on this very branch.
		const there = await namedPrograms(git, folder, signal);
		if (there) {
			await writeFile(await gitPath(git, folder, 'forge-desk-worktree', signal), '', { flag: 'wx' });
			await toldBy(git, folder, { kind: 'fillWorktree', programs: there }, signal);
			return folder;
		}
	} catch (error) {
		await dropWorktree(git, root, folder, new AbortController().signal);
		throw error;
	}
	await dropWorktree(git, root, folder, signal);
	return undefined;
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

/** Removes what was only just made. */
async function dropWorktree(git: HardenedGit, root: string, folder: string, signal: AbortSignal): Promise<void> {
	const programs: NamedPrograms = (await namedPrograms(git, root, signal)) ?? [];
	await runStep(git, root, { kind: 'removeWorktree', folder, isForced: true, programs }, signal);
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
