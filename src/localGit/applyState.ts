import { lstat, readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { isNamedProgram, keptApplyOptions, type ApplyStep, type NamedPrograms } from './applyOperation.ts';
import { GitFailure } from './gitFailure.ts';
import { idArgument } from './gitNames.ts';
import type { HardenedGit } from './hardenedGit.ts';
import type { Ended } from './runProgram.ts';

/** What git says of a series that is being applied in a folder. Nothing of it is remembered: people use git beside us. */
export type ApplyState =
	| { readonly kind: 'none' }
	| StoppedState
	/** Something else is under way there: a rebase, or an `am` that was started with options of its own. */
	| { readonly kind: 'other' };

/** `git am` waits for a person. */
export interface StoppedState {
	readonly kind: 'stopped';
	/** The patch that did not apply, from 1, and how many there are. */
	readonly at: number;
	readonly of: number;
	/** Files with conflicts; none where the patch could not even be merged, or where all are solved. */
	readonly unmerged: readonly string[];
}

/** After so long a step is ended. Reading and writing the files of a large commit takes long on slow disks. */
export const applyStepMs = 10 * 60_000;
const mostOutput = 16_000_000;

/** Runs a step of applying in a folder. */
export async function runStep(
	git: HardenedGit,
	folder: string,
	step: ApplyStep,
	signal: AbortSignal,
): Promise<Ended & { readonly text: string }> {
	const how = { folder, timeMs: applyStepMs, outputBytes: mostOutput };
	const { output, ...ended } = await git.run({ kind: 'apply', step }, how, signal);
	return { ...ended, text: output.toString('utf8') };
}

/** The same for a step that is not expected to fail. */
export async function toldBy(git: HardenedGit, folder: string, step: ApplyStep, signal: AbortSignal): Promise<string> {
	const { code, complaint, text } = await runStep(git, folder, step, signal);
	if (code !== 0) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
	}
	return text.replace(/\r?\n$/, '');
}

/** The absolute path of a file in git's own folder of a worktree. */
export async function gitPath(
	git: HardenedGit,
	folder: string,
	name: Extract<ApplyStep, { kind: 'gitPath' }>['name'],
	signal: AbortSignal,
): Promise<string> {
	const path = await toldBy(git, folder, { kind: 'gitPath', name }, signal);
	return isAbsolute(path) ? path : join(folder, path);
}

/** Where applying stands in a folder. */
export async function applyState(git: HardenedGit, folder: string, signal: AbortSignal): Promise<ApplyState> {
	const state = await gitPath(git, folder, 'rebase-apply', signal);
	const read = async (name: string): Promise<string | undefined> =>
		(await readFile(join(state, name), 'utf8').catch(() => undefined))?.trim();
	const [last, next, applying, options] = await Promise.all(['last', 'next', 'applying', 'apply-opt'].map(read));
	if (last === undefined && next === undefined && applying === undefined) {
		return { kind: 'none' };
	}
	if (applying === undefined || !keptApplyOptions.includes(options) || !isCount(last) || !isCount(next)) {
		return { kind: 'other' };
	}
	const unmerged = new Set((await unmergedEntries(git, folder, signal)).map(({ path }) => path));
	return { kind: 'stopped', at: Number(next), of: Number(last), unmerged: [...unmerged] };
}

/** What the index has, or had, of a file in conflict. */
export interface UnmergedEntry {
	readonly path: string;
	/** `100644` and the like. */
	readonly mode: string;
	readonly id: string;
	/** `1` as it was before both sides, `2` here, `3` by the patch. */
	readonly stage: string;
}

/** The entries of the index that are in conflict: up to three for each file. Throws `GitFailure`. */
export async function unmergedEntries(
	git: HardenedGit,
	folder: string,
	signal: AbortSignal,
): Promise<readonly UnmergedEntry[]> {
	return entriesOf(await toldBy(git, folder, { kind: 'unmerged' }, signal));
}

/** The same of files that were in conflict until they were staged: git keeps these entries for a while. Throws `GitFailure`. */
export async function resolvedEntries(
	git: HardenedGit,
	folder: string,
	signal: AbortSignal,
): Promise<readonly UnmergedEntry[]> {
	return entriesOf(await toldBy(git, folder, { kind: 'resolved' }, signal));
}

function entriesOf(text: string): readonly UnmergedEntry[] {
	const rows = text.split('\0').filter((row) => row !== '');
	return rows.map((row) => {
		const tab = row.indexOf('\t');
		const [mode = '', id = '', stage = ''] = row.slice(0, tab).split(' ');
		return { path: row.slice(tab + 1), mode, id, stage };
	});
}

/**
 * Whether a series may be stopped in the top folder of a worktree: one look at the disk, for windows in which git is not run
 * until something seems to be. What git says counts ({@link applyState}).
 */
export async function mayBeStopped(folder: string): Promise<boolean> {
	return (await lstat(join(await applyingFolder(folder), 'applying')).catch(() => undefined)) !== undefined;
}

/** What git writes anew with each patch, beside its folder itself. */
const writtenEach = ['.', 'next', 'patch', 'author-script', 'final-commit', 'abort-safety'];

/**
 * What tells whether git is at work on a series in the top folder of a worktree: it leaves the same on the disk while it runs
 * and while it waits for a person, but writes on only while it runs. Equal as long as nothing was written.
 */
export async function applyTrace(folder: string): Promise<string> {
	const own = await applyingFolder(folder);
	const times = writtenEach.map(async (name) => (await lstat(join(own, name)).catch(() => undefined))?.mtimeMs ?? 0);
	return (await Promise.all(times)).join(' ');
}

/** Where git keeps a series that is being applied, by the disk alone. */
async function applyingFolder(folder: string): Promise<string> {
	const own = join(folder, '.git');
	// In a worktree that was added, a file which says where git keeps what belongs to it.
	const text = await readFile(own, 'utf8').catch(() => '');
	const told = /^gitdir: (.+?)\r?\n?$/.exec(text)?.[1];
	return join(told === undefined ? own : resolve(folder, told), 'rebase-apply');
}

function isCount(text: string | undefined): boolean {
	return text !== undefined && /^\d{1,6}$/.test(text);
}

/** Filters, drivers of merges and hooks by all configuration that holds in a folder; `undefined` where one has a name that cannot be overruled. */
export async function namedPrograms(
	git: HardenedGit,
	folder: string,
	signal: AbortSignal,
): Promise<NamedPrograms | undefined> {
	const { code, text } = await runStep(git, folder, { kind: 'namedPrograms' }, signal);
	if (code !== 0 && code !== 1) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, 'the configuration cannot be read');
	}
	const names = text.split('\0').map((key) => key.slice(0, Math.max(0, key.lastIndexOf('.'))));
	// Settings such as `merge.conflictStyle` name nothing.
	const found = Array.from(new Set(names)).filter((name) => name.includes('.'));
	return found.every(isNamedProgram) ? found : undefined;
}

/** The short name of the branch that is checked out in a folder; `undefined` where none is. */
export async function branchIn(git: HardenedGit, folder: string, signal: AbortSignal): Promise<string | undefined> {
	const { code, text } = await runStep(git, folder, { kind: 'branch' }, signal);
	return code === 0 ? /^refs\/heads\/(.+?)\r?\n?$/.exec(text)?.[1] : undefined;
}

/** What is checked out in a folder. Throws `GitFailure`. */
export async function headCommit(git: HardenedGit, folder: string, signal: AbortSignal): Promise<string> {
	return idArgument(await toldBy(git, folder, { kind: 'head' }, signal));
}

/** Where a branch of a clone stands; `undefined` where it is gone. */
export async function branchHead(
	git: HardenedGit,
	folder: string,
	branch: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	const { code, text } = await runStep(git, folder, { kind: 'branchHead', branch }, signal);
	return code === 0 ? idArgument(text.trim()) : undefined;
}

/** How many commits a branch has more than a commit of it. Throws `GitFailure`. */
export async function commitsSince(
	git: HardenedGit,
	folder: string,
	{ from, to }: { readonly from: string; readonly to: string },
	signal: AbortSignal,
): Promise<number> {
	return Number(await toldBy(git, folder, { kind: 'count', from, to }, signal));
}

/** A file that a commit changes. An id of zeros stands for no file. */
export interface CommittedFile {
	readonly path: string;
	readonly before: string;
	readonly after: string;
}

/** The files that each commit changes, from the oldest on; a moved file is one that goes and one that comes. Throws `GitFailure`. */
export async function committedFiles(
	git: HardenedGit,
	folder: string,
	span: { readonly from: string; readonly to: string },
	signal: AbortSignal,
): Promise<readonly (readonly CommittedFile[])[]> {
	const commits: CommittedFile[][] = [];
	const fields = (await toldBy(git, folder, { kind: 'committed', ...span }, signal)).split('\0').values();
	for (const field of fields) {
		const [, before, after] = /^\n?:\d{6} \d{6} ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [A-Z]$/.exec(field) ?? [];
		if (before !== undefined && after !== undefined) {
			commits.at(-1)?.push({ path: fields.next().value ?? '', before, after });
		} else if (/^[0-9a-f]{40,64}$/.test(field)) {
			commits.push([]);
		}
	}
	return commits;
}

/** Author and message of a commit. */
export interface CommitText {
	readonly name: string;
	readonly address: string;
	readonly message: string;
}

/** The texts of commits, oldest first. Throws `GitFailure`. */
export async function commitTexts(
	git: HardenedGit,
	folder: string,
	span: { readonly from: string; readonly to: string },
	signal: AbortSignal,
): Promise<readonly CommitText[]> {
	const output = await toldBy(git, folder, { kind: 'messages', ...span }, signal);
	return output.split('\0').slice(0, -1).map(commitText);
}

function commitText(record: string): CommitText {
	const [name = '', address = '', ...message] = record.split('\n');
	return { name, address, message: message.join('\n') };
}
