import { realpath } from 'node:fs/promises';
import type { NamedPrograms } from './applyOperation.ts';
import {
	applyState,
	headCommit,
	namedPrograms,
	runStep,
	toldBy,
	type ApplyState,
	type StoppedState,
} from './applyState.ts';
import { GitFailure } from './gitFailure.ts';
import type { HardenedGit } from './hardenedGit.ts';
import { dropWorktree, makeWorktree, type WorktreeTarget } from './newWorktree.ts';

/** Where a series is applied. */
export type ApplyTarget =
	/** On the branch that is checked out in the clone. */
	{ readonly kind: 'here' } | WorktreeTarget;

/** A series, as a mailbox of its patches in their order. */
export interface ApplyRequest {
	/** Top folder of the clone. */
	readonly root: string;
	readonly mailbox: Uint8Array;
	readonly target: ApplyTarget;
	/** The names in all patches have no `a/` and `b/`. */
	readonly isBare?: boolean;
	/** Awaited right before git begins, with the folder and what is checked out there. What it rejects with is thrown. */
	readonly keepBegun?: (begun: Begun) => Promise<void>;
}

/** Where a series is begun: the folder of the files, and what was checked out there before. */
export interface Begun {
	readonly folder: string;
	readonly before: string;
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
	| NotTakenBack
	| { readonly kind: 'refused'; readonly why: ApplyRefused }
	| { readonly kind: 'failed'; readonly complaint: string };

/** Git was ended before it was done, and not all that it had begun could be taken back. */
export interface NotTakenBack extends Begun {
	readonly kind: 'notTakenBack';
	/** What is checked out now, and where applying stands. */
	readonly head: string;
	readonly state: ApplyState['kind'];
	/** Why it was ended. */
	readonly complaint: string;
}

/**
 * Applies a series by `git am -3`. What the clone's configuration and attributes name is not run: no hooks, filters or
 * drivers of merges, no signing; and files are written in this folder alone. Throws `GitFailure`, in a workspace that is
 * not trusted too. A folder that was made for a series that could not be begun is removed again with its branch, and so is
 * one for a series that was given up on the way; on a branch what was applied by then is taken back. Where that does not come
 * about, the outcome says what is left, also in a new folder, which stays then.
 */
export async function applySeries(
	git: HardenedGit,
	{ root, target, ...series }: ApplyRequest,
	signal: AbortSignal,
): Promise<ApplyOutcome> {
	if (target.kind === 'here') {
		return await start(git, { folder: root, ...series }, signal);
	}
	const made = await makeWorktree(git, root, target, signal);
	if (!made) {
		return { kind: 'refused', why: 'oddConfiguration' };
	}
	const clearing = new AbortController().signal;
	try {
		const outcome = await start(git, { folder: made.folder, ...series }, signal);
		if (outcome.kind === 'refused' || outcome.kind === 'failed') {
			await dropWorktree(git, root, made, clearing);
		}
		return outcome;
	} catch (error) {
		await dropWorktree(git, root, made, clearing);
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
	const { code, complaint, text } = await runStep(git, folder, { kind: step, programs }, signal);
	const looking = new AbortController().signal;
	return step === 'abort' && code === 0
		? { kind: 'aborted', folder, head: await headCommit(git, folder, looking) }
		: await outcomeOf(git, { folder, programs, before, code, complaint: `${complaint}${text}` }, looking);
}

async function start(
	git: HardenedGit,
	{
		folder,
		mailbox,
		isBare,
		keepBegun,
	}: Pick<ApplyRequest, 'mailbox' | 'isBare' | 'keepBegun'> & { readonly folder: string },
	signal: AbortSignal,
): Promise<ApplyOutcome> {
	const refused = await obstacle(git, folder, 'none', signal);
	const programs = refused === undefined ? await namedPrograms(git, folder, signal) : undefined;
	if (!programs) {
		return { kind: 'refused', why: refused ?? 'oddConfiguration' };
	}
	const before = await headCommit(git, folder, signal);
	await keepBegun?.({ folder, before });
	// Whoever gives it up: what git did by then is looked at to the end.
	const looking = new AbortController().signal;
	try {
		const { code, complaint, text } = await runStep(git, folder, { kind: 'start', mailbox, programs, isBare }, signal);
		return await outcomeOf(git, { folder, programs, before, code, complaint: `${complaint}${text}` }, looking);
	} catch (error) {
		if ((await applyState(git, folder, looking)).kind !== 'none') {
			await runStep(git, folder, { kind: 'abort', programs }, looking);
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
