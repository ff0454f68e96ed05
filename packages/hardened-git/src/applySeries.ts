import { realpath, lstat, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { applyCommands, type ApplyManner, type NamedPrograms } from './applyCommands.ts';
import { obstacle, stepObstacle, type ApplyStep, type OwnStop, type Refused } from './applyObstacles.ts';
import {
	applyState,
	gitPath,
	headCommit,
	namedPrograms,
	type ApplyState,
	type Checkout,
	type StoppedState,
} from './applyState.ts';
import { GitFailure } from './gitFailure.ts';
import { branchArgument, idArgument, isSafeFolderName } from './gitNames.ts';
import { gitCommands } from './gitCommands.ts';
import { lineOf, runText, type HardenedGit } from './hardenedGit.ts';

const mostNumbers = 1000;

export type ApplyTarget =
	/** On this checkout of the clone. */
	{ readonly kind: 'here'; readonly at: Checkout } | WorktreeTarget;

/** A series as a mailbox, patches in order. */
export interface ApplyRequest extends Partial<ApplyManner> {
	readonly root: string;
	readonly mailbox: Uint8Array;
	readonly target: ApplyTarget;
	/** Awaited right before git starts. A rejection is thrown. */
	readonly keepBegun?: (begun: Begun) => Promise<void>;
}

/** Start of a series: worktree folder and previous HEAD. */
export interface Begun {
	readonly folder: string;
	readonly before: string;
}

/** Result of a step. `folder`: the worktree. */
export type ApplyOutcome =
	/** All patches except skipped ones are now the commits from `before` to `after`. */
	| { readonly kind: 'applied'; readonly folder: string; readonly before: string; readonly after: string }
	/** The series was aborted. `head`: current HEAD; git only removes its own commits. */
	| { readonly kind: 'aborted'; readonly folder: string; readonly head: string }
	/** `before`: HEAD before this step. */
	| {
			readonly kind: 'stopped';
			readonly folder: string;
			readonly before: string;
			readonly state: StoppedState;
			readonly complaint: string;
	  }
	| NotTakenBack
	| Refused
	| { readonly kind: 'failed'; readonly complaint: string };

/** Git ended early, and the rollback was incomplete. */
export interface NotTakenBack extends Begun {
	readonly kind: 'notTakenBack';
	/** Current HEAD and `git am` state. */
	readonly head: string;
	readonly state: ApplyState['kind'];
	/** Why git ended. */
	readonly complaint: string;
}

/**
 * Applies a series with `git am`, without hooks, filters, merge drivers or signing from the clone's configuration
 * and attributes, and writes files only in this folder. Throws `GitFailure`, also in an untrusted workspace. If the
 * series fails to start or is cancelled, a new folder is removed with its branch, and commits on an existing branch are
 * rolled back. If the rollback fails, the outcome lists the remains, and a new folder stays.
 */
export async function applySeries(
	git: HardenedGit,
	{ root, target, ...series }: ApplyRequest,
	signal: AbortSignal,
): Promise<ApplyOutcome> {
	if (target.kind === 'here') {
		return await start(git, { folder: root, at: target.at, ...series }, signal);
	}
	const made = await makeWorktree(git, root, target, signal);
	if (!made) {
		return { kind: 'refused', why: 'oddConfiguration' };
	}
	const clearing = new AbortController().signal;
	try {
		const outcome = await start(git, { folder: made.folder, at: made, ...series }, signal);
		if (outcome.kind === 'refused' || outcome.kind === 'failed') {
			await dropWorktree(git, root, made, clearing);
		}
		return outcome;
	} catch (error) {
		await dropWorktree(git, root, made, clearing);
		throw error;
	}
}

/** Continues after solved conflicts, skips the patch, or aborts the series. Loses nothing of the user's own. */
export async function goOn(
	git: HardenedGit,
	folder: string,
	step: ApplyStep,
	own: OwnStop,
	signal: AbortSignal,
): Promise<ApplyOutcome> {
	const refused = await stepObstacle(git, folder, step, own, signal);
	if (refused) {
		return refused;
	}
	const programs = await namedPrograms(git, folder, signal);
	if (!programs) {
		return { kind: 'refused', why: 'oddConfiguration' };
	}
	const before = own.state.left.commit;
	const { code, complaint, text } = await runText(git, folder, applyCommands[step](programs), signal);
	const looking = new AbortController().signal;
	return (step === 'abort' || step === 'quit') && code === 0
		? { kind: 'aborted', folder, head: await headCommit(git, folder, looking) }
		: await outcomeOf(git, { folder, programs, before, code, complaint: `${complaint}${text}` }, looking);
}

/** Result of {@link takeBack}. */
export type TakenBack =
	| { readonly kind: 'takenBack' }
	| Refused
	| { readonly kind: 'failed'; readonly complaint: string };

/** Moves the branch from the last commit of a series back to the commit before it. Keeps uncommitted changes. */
export async function takeBack(
	git: HardenedGit,
	folder: string,
	{ before, after }: { readonly before: string; readonly after: Checkout },
	signal: AbortSignal,
): Promise<TakenBack> {
	const refused = await obstacle(git, folder, after, signal);
	const programs = refused ? undefined : await namedPrograms(git, folder, signal);
	if (!programs) {
		return refused ?? { kind: 'refused', why: 'oddConfiguration' };
	}
	const { code, complaint } = await runText(git, folder, applyCommands.takeBack(before, programs), signal);
	return code === 0 ? { kind: 'takenBack' } : { kind: 'failed', complaint };
}

async function start(
	git: HardenedGit,
	{
		folder,
		at,
		mailbox,
		isBare = false,
		isMerging = true,
		keepBegun,
	}: Omit<ApplyRequest, 'root' | 'target'> & { readonly folder: string; readonly at: Checkout },
	signal: AbortSignal,
): Promise<ApplyOutcome> {
	const refused = await obstacle(git, folder, at, signal);
	const programs = refused ? undefined : await namedPrograms(git, folder, signal);
	if (!programs) {
		return refused ?? { kind: 'refused', why: 'oddConfiguration' };
	}
	const { commit: before, branch } = at;
	await keepBegun?.({ folder, before });
	// Also after a cancel: the rollback must run to its end.
	const looking = new AbortController().signal;
	try {
		const { code, complaint, text } = await runText(
			git,
			folder,
			applyCommands.start(mailbox, programs, { isBare, isMerging }, { branch }),
			signal,
		);
		return await outcomeOf(git, { folder, programs, before, code, complaint: `${complaint}${text}` }, looking);
	} catch (error) {
		const left = await applyState(git, folder, looking);
		if (left.kind === 'stopped' && !left.beside) {
			await runText(git, folder, applyCommands[left.moved ? 'quit' : 'abort'](programs), looking);
		}
		const head = await headCommit(git, folder, looking);
		const { kind: state } = await applyState(git, folder, looking);
		if (head === before && state === 'none') {
			throw error;
		}
		const complaint = error instanceof Error ? error.message : '';
		return { kind: 'notTakenBack', folder, before, head, state, complaint };
	}
}

/** Stages files with solved conflicts so that the series can continue, unless something else is there. Throws `GitFailure`. */
export async function stageSolved(
	git: HardenedGit,
	folder: string,
	paths: readonly string[],
	own: OwnStop,
	signal: AbortSignal,
): Promise<Refused | undefined> {
	const refused = await stepObstacle(git, folder, 'continue', own, signal);
	if (refused) {
		return refused;
	}
	const programs = await namedPrograms(git, folder, signal);
	if (!programs) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, 'a filter of an odd name');
	}
	await lineOf(git, folder, applyCommands.stage(paths, programs), signal);
	return undefined;
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
	if (code === 0) {
		return { kind: 'applied', folder, before, after: await headCommit(git, folder, signal) };
	}
	const state = await applyState(git, folder, signal);
	if (state.kind === 'stopped' && !state.isBegun && /^(?:error|fatal): Dirty index/m.test(complaint)) {
		// Git keeps its state even when it could not begin. This leaves the index, the files and other operations alone.
		await lineOf(git, folder, applyCommands.quit(programs), signal);
		return { kind: 'refused', why: 'dirty' };
	}
	return state.kind === 'stopped'
		? { kind: 'stopped', folder, before, state, complaint }
		: { kind: 'failed', complaint };
}

/** New folder with its own branch, at the base of the series. */
interface WorktreeTarget {
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

interface NewWorktree {
	readonly folder: string;
	/** Short name, and its start commit. */
	readonly branch: string;
	readonly commit: string;
}

/**
 * Creates a worktree with files; `undefined` if we cannot override the configuration. Removes incomplete worktrees.
 * Throws `GitFailure`.
 */
async function makeWorktree(
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
		await lineOf(git, root, applyCommands.addWorktree(folder, branch, commit, programs), signal);
		// Read again, because the configuration may include files for this branch.
		const there = await namedPrograms(git, folder, signal);
		if (there) {
			await writeFile(await gitPath(git, folder, 'forge-desk-worktree', signal), '', { flag: 'wx' });
			await lineOf(git, folder, applyCommands.fillWorktree(there), signal);
			return made;
		}
	} catch (error) {
		// Another process created the folder or branch at the same time, so it is not ours.
		if (!(error instanceof GitFailure && /fatal: .* already exists/.test(error.message))) {
			await dropWorktree(git, root, made, clearing);
		}
		throw error;
	}
	await dropWorktree(git, root, made, clearing);
	return undefined;
}

/** Removes a new worktree with all files, and its branch unless the branch has moved. */
async function dropWorktree(
	git: HardenedGit,
	root: string,
	{ folder, branch, commit }: NewWorktree,
	signal: AbortSignal,
): Promise<void> {
	const programs = (await namedPrograms(git, root, signal)) ?? [];
	await runText(git, root, applyCommands.removeWorktree(folder, true, programs), signal);
	// The branch is checked out while the folder exists.
	if (!(await isThere(folder))) {
		await runText(git, root, applyCommands.dropBranch(branch, commit, programs), signal);
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
	const { text } = await runText(git, root, gitCommands.gitFolder(), signal);
	const folder = resolve(root, text.replace(/\r?\n$/, ''), 'worktrees');
	return await lstat(folder).then(
		(found) => !found.isDirectory(),
		() => false,
	);
}

async function freeBranch(git: HardenedGit, root: string, wished: string, signal: AbortSignal): Promise<string> {
	const { text } = await runText(git, root, gitCommands.branches(), signal);
	// Some disks ignore case, and a branch cannot be below another one.
	const taken = new Set(text.toLowerCase().trimEnd().split('\n'));
	for (let number = 1; number < mostNumbers; number++) {
		const name = number === 1 ? wished : `${wished}-${number}`;
		if (!taken.has(`refs/heads/${name.toLowerCase()}`)) {
			return branchArgument(name);
		}
	}
	throw new GitFailure({ kind: 'refused', what: 'branch' });
}
