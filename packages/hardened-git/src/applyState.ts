import { lstat, readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import {
	applyCommands,
	type ApplyManner,
	isNamedProgram,
	ownSeries,
	type CommittedFile,
	type NamedPrograms,
} from './applyCommands.ts';
import { GitFailure } from './gitFailure.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { idArgument } from './gitNames.ts';
import { lineOf, runText, type HardenedGit } from './hardenedGit.ts';

/** State of `git am` in a folder. Never cached: people use git beside us. */
export type ApplyState =
	/** `commit`: of HEAD; `undefined` before the first one. */
	| { readonly kind: 'none'; readonly commit: string | undefined }
	| StoppedState
	/** An operation that we did not begin. */
	| { readonly kind: 'other'; readonly operation: GitOperation };

/** Subcommand of git that waits for the user; `conflicts` for one that leaves nothing else, such as `stash pop`. */
export type GitOperation = 'am' | 'bisect' | 'cherry-pick' | 'conflicts' | 'merge' | 'rebase' | 'revert';

/** A `git am` of ours waits for the user. */
export interface StoppedState extends ApplyManner {
	readonly kind: 'stopped';
	/** Number of the patch that did not apply, from 1, and number of patches. */
	readonly at: number;
	readonly of: number;
	/** Empty if git could not merge the patch, or if all conflicts are solved. */
	readonly conflicts: readonly Conflict[];
	/** Conflicts of since staged files, which git remembers for a while. */
	readonly solved: readonly Conflict[];
	/** Git has read the patch. Otherwise it cannot continue. */
	readonly isBegun: boolean;
	/** Begun by the user during the stop. */
	readonly beside: GitOperation | undefined;
	/** The checkout as git left it. */
	readonly left: Checkout;
	/** The current one, if somebody moved it. */
	readonly moved: Checkout | undefined;
	/** Changes whenever git goes on with the series. */
	readonly trace: string;
}

/** What `HEAD` leads to. */
export interface Checkout {
	readonly commit: string;
	/** Short name; `undefined` on a detached HEAD. */
	readonly branch: string | undefined;
}

/** A file with a conflict, and what it is between: modes and ids of the entries. Equal for one conflict only. */
export interface Conflict {
	readonly path: string;
	readonly between: string;
}

/** Absolute path of a file in a worktree's git folder. */
export async function gitPath(
	git: HardenedGit,
	folder: string,
	name: Parameters<typeof applyCommands.gitPath>[0],
	signal: AbortSignal,
): Promise<string> {
	const path = await lineOf(git, folder, applyCommands.gitPath(name), signal);
	return isAbsolute(path) ? path : join(folder, path);
}

/** Throws `GitFailure` if the state cannot be read: a failed look is no free folder. */
export async function applyState(git: HardenedGit, folder: string, signal: AbortSignal): Promise<ApplyState> {
	const state = await applyingFolder(folder);
	const trace = await applyTrace(folder);
	const names = ['last', 'next', 'applying', 'apply-opt', 'threeway', 'final-commit', 'abort-safety'];
	const read = await Promise.all(names.map((name) => unlessMissing(readFile(join(state, name), 'utf8'))));
	const [last, next, applying, options, threeWay, message, commit] = read.map((text) => text?.trim());
	const { operation, head } = await operationIn(git, folder, dirname(state), signal);
	const { unmerged, resolved } = await conflictEntries(git, folder, signal);
	if (!(await unlessMissing(lstat(state)))) {
		const other = operation ?? (unmerged.length > 0 ? 'conflicts' : undefined);
		return other ? { kind: 'other', operation: other } : { kind: 'none', commit: head };
	}
	const own = ownSeries(options);
	if (applying === undefined || !own || !isCount(last) || !isCount(next) || !isObjectId(commit ?? '')) {
		return { kind: 'other', operation: applying === undefined ? 'rebase' : 'am' };
	}
	const left: Checkout = { commit: commit ?? '', branch: own.branch === '' ? undefined : own.branch };
	const now: Checkout = { commit: head ?? '', branch: await branchIn(git, folder, signal) };
	return {
		kind: 'stopped',
		at: Number(next),
		of: Number(last),
		isBare: own.isBare,
		isMerging: threeWay === 't',
		conflicts: conflictsOf(unmerged),
		solved: conflictsOf(resolved),
		isBegun: message !== undefined,
		beside: operation,
		left,
		moved: isSameCheckout(now, left) ? undefined : now,
		trace,
	};
}

function conflictsOf(entries: readonly UnmergedEntry[]): readonly Conflict[] {
	return Array.from(
		Map.groupBy(entries, ({ path }) => path),
		([path, of]) => ({ path, between: of.map(({ mode, id, stage }) => `${stage} ${mode} ${id}`).join(' ') }),
	);
}

/** Files and commits that git keeps beside `rebase-apply`. Git may store the commits elsewhere than in a file. */
const operations: ReadonlyMap<string, GitOperation> = new Map([
	['MERGE_HEAD', 'merge'],
	['CHERRY_PICK_HEAD', 'cherry-pick'],
	['REVERT_HEAD', 'revert'],
	['sequencer', 'cherry-pick'],
	['rebase-merge', 'rebase'],
	['BISECT_LOG', 'bisect'],
	['BISECT_START', 'bisect'],
]);

async function operationIn(
	git: HardenedGit,
	folder: string,
	gitFolder: string,
	signal: AbortSignal,
): Promise<{ readonly operation: GitOperation | undefined; readonly head: string | undefined }> {
	const names = ['HEAD', ...operations.keys()].filter((name) => name.endsWith('HEAD'));
	const told = (await lineOf(git, folder, applyCommands.heads(names), signal)).split(/\r?\n/);
	const [head, ...ids] = told.map((line) => /^commit ([0-9a-f]{40,64})$/.exec(line)?.[1]);
	const stored = names.slice(1).find((_, at) => ids[at] !== undefined);
	let operation = operations.get(stored ?? '');
	for (const [name, each] of operations) {
		operation ??= (await unlessMissing(lstat(join(gitFolder, name)))) && each;
	}
	return { operation, head };
}

/** Throws `GitFailure` for all but a missing file. */
async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
	try {
		return await reading;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
			return undefined;
		}
		throw new GitFailure({ kind: 'failed', program: 'git' }, String(error));
	}
}

const mostMailBytes = 64 * 1024 * 1024;

/** Mails of a stopped series from the stopped patch on, as bytes. Throws `GitFailure`, also for too large ones. */
export async function remainingMails(folder: string, { at, of }: StoppedState): Promise<readonly Uint8Array[]> {
	const state = await applyingFolder(folder);
	const mails: Uint8Array[] = [];
	let bytes = 0;
	for (let number = at; number <= of; number += 1) {
		const mail = await unlessMissing(readFile(join(state, String(number).padStart(4, '0'))));
		if (!mail) {
			throw new GitFailure({ kind: 'failed', program: 'git' }, 'the series has ended meanwhile');
		}
		bytes += mail.length;
		if (bytes > mostMailBytes) {
			throw new GitFailure({ kind: 'tooMuch' });
		}
		mails.push(mail);
	}
	return mails;
}

/** Index entry of a conflicted file. */
export interface UnmergedEntry {
	readonly path: string;
	/** Such as `100644`. */
	readonly mode: string;
	readonly id: string;
	/** `1` base, `2` ours, `3` theirs (the patch). */
	readonly stage: string;
}

/** Conflicted index entries, up to three per file, and those of since staged files. Throws `GitFailure`. */
export async function conflictEntries(git: HardenedGit, folder: string, signal: AbortSignal) {
	const rows = (await lineOf(git, folder, applyCommands.conflicts(), signal)).split('\0').filter((row) => row !== '');
	const entriesOf = (sign: 'M' | 'U'): readonly UnmergedEntry[] =>
		rows.flatMap((row) => {
			const tab = row.indexOf('\t');
			const [tag, mode = '', id = '', stage = ''] = row.slice(0, tab).split(' ');
			return tag === sign ? [{ path: row.slice(tab + 1), mode, id, stage }] : [];
		});
	return { unmerged: entriesOf('M'), resolved: entriesOf('U') };
}

/**
 * Cheap check for a stopped series in the top folder of a worktree, so that most windows never run git. `applyState`
 * is authoritative.
 */
export async function mayBeStopped(folder: string): Promise<boolean> {
	return (await lstat(join(await applyingFolder(folder), 'applying')).catch(() => undefined)) !== undefined;
}

/** Files that git rewrites with each patch, and their folder. */
const writtenEach = ['.', 'next', 'patch', 'author-script', 'final-commit', 'abort-safety'];

/**
 * Changes while git works on a series in the top folder of a worktree. A running and a stopped `git am` leave the same
 * files, but only a running one keeps writing.
 */
export async function applyTrace(folder: string): Promise<string> {
	const own = await applyingFolder(folder);
	const times = writtenEach.map(async (name) => (await lstat(join(own, name)).catch(() => undefined))?.mtimeMs ?? 0);
	return (await Promise.all(times)).join(' ');
}

/** Git's folder for a series in progress, without running git. `folder`: a top folder. */
async function applyingFolder(folder: string): Promise<string> {
	const own = join(folder, '.git');
	// In a linked worktree, `.git` is a file with the path of the git folder.
	const text = await readFile(own, 'utf8').catch(() => '');
	const told = /^gitdir: (.+?)\r?\n?$/.exec(text)?.[1];
	return join(told === undefined ? own : resolve(folder, told), 'rebase-apply');
}

function isCount(text: string | undefined): boolean {
	return text !== undefined && /^\d{1,6}$/.test(text);
}

/** All configured filters, merge drivers and hooks; `undefined` if we cannot override one because of its name. */
export async function namedPrograms(
	git: HardenedGit,
	folder: string,
	signal: AbortSignal,
): Promise<NamedPrograms | undefined> {
	const { code, text } = await runText(git, folder, applyCommands.namedPrograms(), signal);
	if (code !== 0 && code !== 1) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, 'the configuration cannot be read');
	}
	const names = text.split('\0').map((key) => key.slice(0, Math.max(0, key.lastIndexOf('.'))));
	// Settings such as `merge.conflictStyle` have no program name.
	const found = Array.from(new Set(names)).filter((name) => name.includes('.'));
	return found.every(isNamedProgram) ? found : undefined;
}

/** Short name of the current branch; `undefined` on a detached HEAD. Throws `GitFailure`. */
export async function branchIn(git: HardenedGit, folder: string, signal: AbortSignal): Promise<string | undefined> {
	const { code, text, complaint } = await runText(git, folder, applyCommands.branch(), signal);
	if (code !== 0 && code !== 1) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
	}
	return code === 0 ? /^refs\/heads\/(.+?)\r?\n?$/.exec(text)?.[1] : undefined;
}

/** Commit of HEAD. Throws `GitFailure`. */
export async function headCommit(git: HardenedGit, folder: string, signal: AbortSignal): Promise<string> {
	return idArgument(await lineOf(git, folder, applyCommands.head(), signal));
}

/** Throws `GitFailure`. */
export async function checkoutIn(git: HardenedGit, folder: string, signal: AbortSignal): Promise<Checkout> {
	return { commit: await headCommit(git, folder, signal), branch: await branchIn(git, folder, signal) };
}

export function isSameCheckout(one: Checkout, other: Checkout): boolean {
	return one.commit === other.commit && one.branch === other.branch;
}

/** Number of commits from `from` to `to`. Throws `GitFailure`. */
export async function commitsSince(
	git: HardenedGit,
	folder: string,
	{ from, to }: { readonly from: string; readonly to: string },
	signal: AbortSignal,
): Promise<number> {
	return Number(await lineOf(git, folder, applyCommands.count(from, to), signal));
}

/** A commit with the files that it changes. A rename is a deletion and an addition. */
export interface MadeCommit {
	readonly id: string;
	readonly tree: string;
	readonly files: readonly CommittedFile[];
	/** Author. */
	readonly name: string;
	readonly address: string;
	/** Author date, in seconds since 1970. */
	readonly dateSeconds: number;
	readonly message: string;
}

/** Commits between two commits, oldest first; without `to`, up to HEAD. Throws `GitFailure`. */
export async function madeCommits(
	git: HardenedGit,
	folder: string,
	{ from, to }: { readonly from: string; readonly to: string | undefined },
	signal: AbortSignal,
): Promise<readonly MadeCommit[]> {
	const [, ...all] = changedFiles(await lineOf(git, folder, applyCommands.committed(from, to), signal));
	return all.map(([head, files]) => {
		const [id = '', tree = '', name = '', address = '', seconds = '', ...message] = head.split('\n');
		return { id, tree, files, name, address, dateSeconds: Number(seconds), message: message.join('\n') };
	});
}

/** Changes of the index on top of HEAD, also conflicted ones. Throws `GitFailure`. */
export async function stagedFiles(
	git: HardenedGit,
	folder: string,
	signal: AbortSignal,
): Promise<readonly CommittedFile[]> {
	return changedFiles(await lineOf(git, folder, applyCommands.staged(), signal)).get('') ?? [];
}

/** Output of `--raw -z` by commit, after files of none. A path may look like a commit. */
function changedFiles(output: string): ReadonlyMap<string, readonly CommittedFile[]> {
	const files: CommittedFile[] = [];
	const byCommit = new Map<string, CommittedFile[]>([['', files]]);
	let current = files;
	const fields = output.split('\0').values();
	for (const field of fields) {
		const [, beforeMode, afterMode, before, after, status] =
			/^\n?:(\d{6}) (\d{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([A-Z])$/.exec(field) ?? [];
		if (beforeMode && afterMode && before && after && status) {
			const path = fields.next().value ?? '';
			current.push({ path, before, after, beforeMode, afterMode, isUnmerged: status === 'U' });
		} else if (/^[0-9a-f]{40,64}\n/.test(field)) {
			current = [];
			byCommit.set(field, current);
		}
	}
	return byCommit;
}
