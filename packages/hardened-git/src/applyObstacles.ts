import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { foldersAbove } from '@forge-desk/base/foldersAbove.ts';
import { provenBy } from 'patchmail/git/objectId.ts';
import { applyCommands } from './applyCommands.ts';
import {
	applyState,
	branchIn,
	isSameCheckout,
	namedPrograms,
	stagedFiles,
	type Checkout,
	type Conflict,
	type GitOperation,
	type StoppedState,
} from './applyState.ts';
import { GitFailure, knownCause } from './gitFailure.ts';
import { fileInClone } from './fileInClone.ts';
import { lineOf, runText, type HardenedGit } from './hardenedGit.ts';

/** Reason for not starting: an operation of the user's own, or … */
export type ApplyRefused =
	| GitOperation
	/** Uncommitted changes are in the way. */
	| 'dirty'
	/** The folder is not the top of its worktree, or the configuration moves the worktree elsewhere. */
	| 'otherFolder'
	/** The configuration names programs that we cannot override. */
	| 'oddConfiguration'
	/** No stopped series. */
	| 'nothingStopped'
	/** Git has not read the patch, so there is nothing to continue. */
	| 'notBegun'
	/** Another commit or branch is checked out than expected. */
	| 'moved'
	/** Another window or a terminal went on with the series. */
	| 'wentOn'
	/** The step would lose staged changes that are not of the patch. */
	| 'staged';

export interface Refused {
	readonly kind: 'refused';
	readonly why: ApplyRefused;
	/** The user's own files; only for `conflicts` and `staged`. */
	readonly paths?: readonly string[];
	/** The expected checkout and the current one; only for `moved`. */
	readonly checkouts?: readonly [Checkout, Checkout];
}

/** A stop as git left it. All other conflicts and staged files are the user's own. */
export interface OwnStop {
	/** As the user knows it. */
	readonly state: StoppedState;
	/** `undefined` if no window saw the stop: then of the paths below. */
	readonly conflicts: readonly Conflict[] | undefined;
	/** Paths of the patch. */
	readonly paths: readonly string[];
}

/** `quit` ends the series and leaves branches, commits, index and files alone. */
export type ApplyStep = 'continue' | 'skip' | 'abort' | 'quit';

/** Obstacle to a start on this checkout. Throws `GitFailure` if it cannot be known. */
export async function obstacle(
	git: HardenedGit,
	folder: string,
	expected: Checkout,
	signal: AbortSignal,
): Promise<Refused | undefined> {
	if (!(await isTop(git, folder, signal))) {
		return { kind: 'refused', why: 'otherFolder' };
	}
	const state = await applyState(git, folder, signal);
	if (state.kind !== 'none') {
		return { kind: 'refused', why: state.kind === 'stopped' ? (state.beside ?? 'am') : state.operation };
	}
	const now: Checkout = { commit: state.commit ?? '', branch: await branchIn(git, folder, signal) };
	return !isSameCheckout(now, expected) ? { kind: 'refused', why: 'moved', checkouts: [expected, now] } : undefined;
}

/** Obstacle to a step: the series is not ours, or the step would commit or lose the user's own work. */
export async function stepObstacle(
	git: HardenedGit,
	folder: string,
	step: ApplyStep,
	{ state: { trace }, conflicts, paths }: OwnStop,
	signal: AbortSignal,
): Promise<Refused | undefined> {
	if (!(await isTop(git, folder, signal))) {
		return { kind: 'refused', why: 'otherFolder' };
	}
	const state = await applyState(git, folder, signal);
	if (state.kind !== 'stopped') {
		return { kind: 'refused', why: state.kind === 'none' ? 'nothingStopped' : state.operation };
	}
	if (state.trace !== trace) {
		return { kind: 'refused', why: 'wentOn' };
	}
	if (state.beside || step === 'quit') {
		return state.beside && { kind: 'refused', why: state.beside };
	}
	if (state.moved) {
		return { kind: 'refused', why: 'moved', checkouts: [state.left, state.moved] };
	}
	const isOwn = ({ path, between }: Conflict): boolean =>
		conflicts?.some((each) => each.path === path && each.between === between) ?? paths.includes(path);
	const foreign = state.conflicts.filter((each) => !isOwn(each)).map(({ path }) => path);
	if (foreign.length > 0) {
		return { kind: 'refused', why: 'conflicts', paths: foreign };
	}
	const staged = (await stagedFiles(git, folder, signal)).map(({ path }) => path);
	// Git may remember conflicts of earlier patches in files of this one.
	const foreignSolved = state.solved
		.filter((each) => !isOwn(each) && !paths.includes(each.path) && staged.includes(each.path))
		.map(({ path }) => path);
	if (step === 'continue') {
		return foreignSolved.length > 0
			? { kind: 'refused', why: 'conflicts', paths: foreignSolved }
			: state.isBegun
				? undefined
				: { kind: 'refused', why: 'notBegun' };
	}
	const known = new Set([...state.solved.filter(isOwn), ...state.conflicts].map(({ path }) => path));
	// Without conflicts, git has staged nothing.
	const hasStaged = conflicts?.length !== 0;
	const lost = staged.filter((path) => !known.has(path) && !(hasStaged && paths.includes(path)));
	return lost.length > 0 ? { kind: 'refused', why: 'staged', paths: lost } : undefined;
}

async function isTop(git: HardenedGit, folder: string, signal: AbortSignal): Promise<boolean> {
	const { code, text, complaint } = await runText(git, folder, applyCommands.top(), signal);
	if (code !== 0 && knownCause(complaint)) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
	}
	const top = code === 0 ? await realpath(text.replace(/\r?\n$/, '')).catch(() => undefined) : undefined;
	return top !== undefined && top === (await realpath(folder));
}

/** A file of the working tree that stops `git am` at a patch, though the commit has no conflict with it. */
export interface InTheWay {
	readonly path: string;
	readonly why:
		/** Its content or mode differs from the index. */
		| 'changed'
		/** The same, and the index hides it. */
		| 'assumedUnchanged'
		| 'skippedInWorktree'
		/** The same because of a filter, which we run nowhere. */
		| 'filtered'
		/** Git does not track it. */
		| 'untracked'
		/** Another path of this spelling, except for case, on a disk that takes both for one. */
		| 'otherCase'
		/** Staged, whether or not a patch has the path: git begins with no patch. */
		| 'staged';
}

/** Finds what stops `git am` in this folder at these paths. Throws `GitFailure`. */
export async function filesInTheWay(
	git: HardenedGit,
	folder: string,
	paths: readonly string[],
	signal: AbortSignal,
): Promise<readonly InTheWay[]> {
	const programs = await namedPrograms(git, folder, signal);
	if (!programs) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, 'a filter of an odd name');
	}
	const facts = await runText(git, folder, applyCommands.diskFacts(), signal);
	if (facts.code !== 0 && facts.code !== 1) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, facts.complaint);
	}
	const isCaseless = /^core\.ignorecase true$/m.test(facts.text);
	const hasModes = !/^core\.filemode false$/m.test(facts.text);
	const index = await indexEntries(git, folder, { paths, isCaseless }, signal);
	const found = (await stagedFiles(git, folder, signal)).map(({ path }): InTheWay => ({ path, why: 'staged' }));
	const isStaged = new Set(found.map(({ path }) => path));
	const files: IndexEntry[] = [];
	const note = ({ path, flag }: IndexEntry, why: InTheWay['why']): void =>
		void found.push({
			path,
			why: flag === 'S' || flag === 's' ? 'skippedInWorktree' : flag !== flag.toUpperCase() ? 'assumedUnchanged' : why,
		});
	for (const path of paths) {
		const entry = index.get(path);
		const there = await lstat(join(folder, path)).catch(() => undefined);
		if (!entry) {
			const isOther = isCaseless && [...index.keys(), ...paths].some((each) => isOtherSpelling(each, path));
			const untracked = isOther ? [path] : await untrackedAt(folder, path, index);
			untracked.forEach((each) => found.push({ path: each, why: isOther ? 'otherCase' : 'untracked' }));
		} else if (there && entry.mode !== '160000' && !isStaged.has(path)) {
			// Git writes a missing file anew.
			const kind = await kindOnDisk(folder, entry, hasModes);
			if (kind === 'changed') {
				note(entry, 'changed');
			} else if (kind === 'file') {
				files.push(entry);
			}
		}
	}
	if (files.length > 0) {
		const names = files.map(({ path }) => path);
		const idsOf = async (isAsIs: boolean): Promise<readonly string[]> =>
			(await lineOf(git, folder, applyCommands.hashes(names, programs, isAsIs), signal)).split(/\r?\n/);
		// Git keeps the line ends of a file that has CR LF in the index.
		const [asIs, converted] = [await idsOf(true), await idsOf(false)];
		const filters = (await lineOf(git, folder, applyCommands.filters(names), signal)).split('\0');
		files.forEach((entry, at) => {
			if (asIs[at] !== entry.id && converted[at] !== entry.id) {
				note(entry, programs.includes(`filter.${filters[3 * at + 2] ?? ''}`) ? 'filtered' : 'changed');
			}
		});
	}
	return found;
}

interface IndexEntry {
	readonly path: string;
	readonly mode: string;
	readonly id: string;
	/** As `git ls-files -v` shows it. */
	readonly flag: string;
}

/** Entries of these paths and below them, and those of other case on a disk that takes both for one. */
async function indexEntries(
	git: HardenedGit,
	folder: string,
	{ paths, isCaseless }: { readonly paths: readonly string[]; readonly isCaseless: boolean },
	signal: AbortSignal,
): Promise<ReadonlyMap<string, IndexEntry>> {
	const keyOf = (path: string): string => (isCaseless ? path.toLowerCase() : path);
	const wanted = new Set(paths.flatMap((path) => [path, ...foldersAbove(path)]).map(keyOf));
	const found = new Map<string, IndexEntry>();
	for (const row of (await lineOf(git, folder, applyCommands.index(), signal)).split('\0')) {
		const [, flag, mode, id, path] = /^(\S) (\d{6}) ([0-9a-f]+) \d\t([^]+)$/.exec(row) ?? [];
		if (flag && mode && id && path && [path, ...foldersAbove(path)].some((each) => wanted.has(keyOf(each)))) {
			found.set(path, { path, mode, id, flag });
		}
	}
	return found;
}

/** `file`: its content decides. */
async function kindOnDisk(
	folder: string,
	{ path, mode, id }: IndexEntry,
	hasModes: boolean,
): Promise<'changed' | 'same' | 'file'> {
	const place = join(folder, path);
	const there = await lstat(place);
	const isLink = mode === '120000';
	if (there.isSymbolicLink()) {
		return isLink && provenBy(id, 'blob', Buffer.from(await readlink(place))) === 'same' ? 'same' : 'changed';
	}
	const isOtherMode = hasModes && !isLink && (mode === '100755') !== ((there.mode & 0o100) !== 0);
	return there.isFile() && !isOtherMode && (await fileInClone(folder, path)) === 'file' ? 'file' : 'changed';
}

/** The path, or a file where it needs a folder. Git removes an empty folder. */
async function untrackedAt(
	folder: string,
	path: string,
	index: ReadonlyMap<string, IndexEntry>,
): Promise<readonly string[]> {
	if (path.split('/').includes('..')) {
		return [];
	}
	for (const above of foldersAbove(path)) {
		const there = await lstat(join(folder, above)).catch(() => undefined);
		if (there && !there.isDirectory()) {
			return index.has(above) ? [] : [above];
		}
	}
	const there = await lstat(join(folder, path)).catch(() => undefined);
	if (!there || (there.isDirectory() && (await readdir(join(folder, path))).length === 0)) {
		return [];
	}
	// The series may replace a folder of tracked files.
	return there.isDirectory() && [...index.keys()].some((each) => each.startsWith(`${path}/`)) ? [] : [path];
}

function isOtherSpelling(one: string, other: string): boolean {
	return one !== other && one.toLowerCase() === other.toLowerCase();
}
