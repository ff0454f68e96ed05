import { Buffer } from 'node:buffer';
import { inClone } from './gitCommand.ts';
import { GitFailure } from './gitFailure.ts';
import { branchArgument, folderArgument, idArgument } from './gitNames.ts';

/** Filters, merge drivers and hooks from the configuration, such as `filter.lfs`. */
export type NamedPrograms = readonly string[];

/** Large commits take long on slow disks. */
export const applyStepMs = 10 * 60_000;
const limits = { timeMs: applyStepMs, outputBytes: 16_000_000 } as const;

/**
 * `git am` saves this option while stopped, so that we know our series and its branch. The open bracket matches no path;
 * branches are in hexadecimal, because they may have the other one.
 */
function ownMark(branch: string | undefined): string {
	return `--exclude=[forge-desk-${Buffer.from(branch ?? '').toString('hex')}`;
}

/** Reads the options that `git am` saves; `undefined` unless the series is ours. An empty branch: a detached HEAD. */
export function ownSeries(
	options: string | undefined,
): { readonly branch: string; readonly isBare: boolean } | undefined {
	const kept = /^'--whitespace=nowarn' '--exclude=\[forge-desk-((?:[0-9a-f]{2})*)'( '-p0')?$/.exec(options ?? '');
	return kept ? { branch: Buffer.from(kept[1] ?? '', 'hex').toString(), isBare: kept[2] !== undefined } : undefined;
}

/** How git reads and applies a series. */
export interface ApplyManner {
	/** Paths in all patches have no `a/` and `b/`. */
	readonly isBare: boolean;
	/** A patch that does not fit may become a three-way merge. */
	readonly isMerging: boolean;
}

/** A file that a commit or an index changes. An id of zeros means no file; a mode has six octal digits. */
export interface CommittedFile {
	readonly path: string;
	readonly before: string;
	readonly after: string;
	readonly beforeMode: string;
	readonly afterMode: string;
	/** A conflict in the index. */
	readonly isUnmerged: boolean;
}

/** Commands for applying a series. They run in the worktree or repository concerned. */
export const applyCommands = {
	/** Names of configured filters, merge drivers and hooks, including those for the current branch. */
	namedPrograms: () =>
		// The pattern ends here: git matches no name that is not valid text.
		inClone('namedPrograms', limits, [
			'config',
			'--includes',
			'-z',
			'--name-only',
			'--get-regexp',
			'^(filter|merge|hook)[.]',
		]),

	/** Path of a file in this worktree's git folder. */
	gitPath: (name: 'forge-desk-worktree' | 'modules') => inClone('gitPath', limits, ['rev-parse', '--git-path', name]),

	/** Top folder of the worktree according to the configuration. */
	top: () => inClone('top', limits, ['rev-parse', '--show-toplevel']),

	head: () => inClone('head', limits, ['rev-parse', '--verify', '--end-of-options', 'HEAD^{commit}']),

	/** Full name of the current branch; fails on a detached HEAD. */
	branch: () => inClone('branch', limits, ['symbolic-ref', '--quiet', 'HEAD']),

	worktrees: () => inClone('worktrees', limits, ['worktree', 'list', '--porcelain']),

	/** Uncommitted changes and ignored files. */
	changes: (programs: NamedPrograms) =>
		inClone('changes', limits, [
			...inWorktree(programs),
			'status',
			'--porcelain',
			'-z',
			'--ignored=traditional',
			'--untracked-files=normal',
			// Otherwise git would run in the submodule, and no argument overrides the programs in its
			// configuration.
			'--ignore-submodules=dirty',
		]),

	/** Number of commits from `from` to `to`. */
	count: (from: string, to: string) =>
		inClone('count', limits, ['rev-list', '--count', idArgument(to), '--not', idArgument(from)]),

	/** Number of commits that no remote branch contains. */
	unpushed: () => inClone('unpushed', limits, ['rev-list', '--count', 'HEAD', '--not', '--remotes']),

	/** Types and ids of commits that git names; some backends keep them in no file. */
	heads: (names: readonly string[]) =>
		inClone('heads', limits, ['cat-file', '--batch-check=%(objecttype) %(objectname)'], lines(names)),

	/** All index entries with their flags. */
	index: () =>
		inClone('index', { ...limits, outputBytes: 200_000_000 }, ['ls-files', '-v', '--stage', '--full-name', '-z']),

	/** Blob ids of files on the disk, in the given order. `isAsIs`: without conversion of line ends. */
	hashes: (paths: readonly string[], programs: NamedPrograms, isAsIs: boolean) =>
		inClone(
			'hashes',
			limits,
			[...inWorktree(programs), 'hash-object', ...(isAsIs ? ['--no-filters'] : []), '--stdin-paths'],
			lines(paths.map((path) => `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`)),
		),

	/** Names of filters from attributes. */
	filters: (paths: readonly string[]) =>
		inClone('filters', limits, ['check-attr', '-z', '--stdin', 'filter'], terminated(paths)),

	/** Facts that git found out about the disk; fails without any. */
	diskFacts: () =>
		inClone('diskFacts', limits, [
			'config',
			'--includes',
			'--type=bool',
			'--get-regexp',
			'^core[.](ignorecase|filemode)$',
		]),

	/** Conflicted index entries with `M`, and with `U` those resolved by staging. */
	conflicts: () =>
		inClone('conflicts', limits, ['ls-files', '-t', '--unmerged', '--resolve-undo', '--full-name', '-z']),

	/** Creates one commit with `git fast-import`, in our own repository. */
	importFiles: (stream: Uint8Array) => inClone('importFiles', limits, ['fast-import', '--quiet', '--done'], stream),

	/** Fills the index from a commit without writing files, in our own repository. */
	readTree: (commit: string) => inClone('readTree', limits, ['read-tree', idArgument(commit)]),

	/** Stages blobs that the objects have, in our own repository. */
	stageBlobs: (files: readonly CommittedFile[]) =>
		inClone(
			'stageBlobs',
			limits,
			['update-index', '-z', '--index-info'],
			terminated(
				files.map(({ path, after, afterMode }) =>
					/[^0]/.test(after) ? `${afterMode} ${after}\t${path}` : `0 ${after}\t${path}`,
				),
			),
		),

	writeTree: () => inClone('writeTree', limits, ['write-tree']),

	/** Creates a commit without references, in our own repository. */
	commitTree: (tree: string, parent: string) =>
		inClone('commitTree', limits, ['commit-tree', '-p', idArgument(parent), '-m', 'resolved', idArgument(tree)]),

	/** Moves the current branch back and keeps local changes; fails if they are in the way. */
	takeBack: (commit: string, programs: NamedPrograms) =>
		inClone('takeBack', limits, [...inWorktree(programs), 'reset', '--keep', '--quiet', idArgument(commit), '--']),

	/** Checks out these paths from the index, as far as they exist there. */
	writeFiles: (paths: readonly string[], programs: NamedPrograms) =>
		inClone(
			'writeFiles',
			limits,
			[...withoutPrograms(programs), 'checkout-index', '--quiet', '--force', '--index', '-z', '--stdin'],
			terminated(paths),
		),

	/** Conflict marker sizes from attributes. */
	markerSizes: (paths: readonly string[]) =>
		inClone('markerSizes', limits, ['check-attr', '-z', '--stdin', 'conflict-marker-size'], terminated(paths)),

	/** Commits up to `to` or HEAD, oldest first, with authors, dates, messages, changed files and blob ids. */
	committed: (from: string, to: string | undefined) =>
		inClone('committed', limits, [
			'log',
			'--reverse',
			'--no-mailmap',
			'--encoding=UTF-8',
			'--format=%H%n%T%n%an%n%ae%n%at%n%B',
			'--raw',
			'--no-abbrev',
			'--no-renames',
			// A merge has no diff otherwise.
			'--diff-merges=first-parent',
			'--ignore-submodules=none',
			'-z',
			to === undefined ? 'HEAD' : idArgument(to),
			`^${idArgument(from)}`,
			'--',
		]),

	/** Differences between index and HEAD. */
	staged: () =>
		inClone('staged', limits, ['diff-index', '--cached', '--raw', '--no-abbrev', '--no-renames', '-z', 'HEAD', '--']),

	/** Stages these paths as they are in the worktree, deletions included. */
	stage: (paths: readonly string[], programs: NamedPrograms) =>
		inClone(
			'stage',
			limits,
			['--literal-pathspecs', ...inWorktree(programs), 'add', '--all', '--pathspec-from-file=-', '--pathspec-file-nul'],
			terminated(paths),
		),

	/** Creates a branch at `commit` in a new folder, without checkout. */
	addWorktree: (folder: string, branch: string, commit: string, programs: NamedPrograms) =>
		inClone('addWorktree', limits, [
			...withoutPrograms(programs),
			'worktree',
			'add',
			'--no-checkout',
			'--no-track',
			'--no-guess-remote',
			'-b',
			branchArgument(branch),
			'--end-of-options',
			folderArgument(folder),
			idArgument(commit),
		]),

	/** Writes the files of HEAD. */
	fillWorktree: (programs: NamedPrograms) =>
		inClone('fillWorktree', limits, [...inWorktree(programs), 'reset', '--hard', '--quiet', '--no-recurse-submodules']),

	/** `isForced`: also with changes. */
	removeWorktree: (folder: string, isForced: boolean, programs: NamedPrograms) =>
		inClone('removeWorktree', limits, [
			...withoutPrograms(programs),
			// Git repeats the check for changes, and without this setting skips files that the configuration hides.
			'-c',
			'status.showUntrackedFiles=normal',
			'worktree',
			'remove',
			isForced ? '--force' : '--no-force',
			'--end-of-options',
			folderArgument(folder),
		]),

	/** Deletes a branch; fails if it has moved from this commit. */
	dropBranch: (branch: string, commit: string, programs: NamedPrograms) =>
		inClone('dropBranch', limits, [
			...withoutPrograms(programs),
			'update-ref',
			'--no-deref',
			'-d',
			'--end-of-options',
			`refs/heads/${branchArgument(branch)}`,
			idArgument(commit),
		]),

	/** `git am` on the current branch, which it remembers. `isMessageOnly`: commits without their changes. */
	start: (
		mailbox: Uint8Array,
		programs: NamedPrograms,
		{ isBare, isMerging }: ApplyManner,
		{ branch, isMessageOnly = false }: { readonly branch?: string | undefined; readonly isMessageOnly?: boolean } = {},
	) =>
		inClone(
			'start',
			limits,
			[
				...inWorktree(programs),
				'am',
				// Keep the reviewed patches unchanged, whatever the configuration says.
				isMerging ? '--3way' : '--no-3way',
				'--patch-format=mbox',
				'--no-keep-cr',
				'--no-scissors',
				'--no-message-id',
				'--no-signoff',
				'--no-rerere-autoupdate',
				'--whitespace=nowarn',
				ownMark(branch),
				...(isMessageOnly ? ['--include=[none'] : []),
				'--no-gpg-sign',
				...(isBare ? ['-p0'] : []),
			],
			mailbox,
		),

	/** Git does not save signing options while stopped, so each committing step repeats them. */
	continue: (programs: NamedPrograms) =>
		inClone('continue', limits, [...inWorktree(programs), 'am', '--continue', '--no-gpg-sign']),

	skip: (programs: NamedPrograms) =>
		inClone('skip', limits, [...inWorktree(programs), 'am', '--skip', '--no-gpg-sign']),

	abort: (programs: NamedPrograms) => inClone('abort', limits, [...inWorktree(programs), 'am', '--abort']),

	/** Forgets the series and leaves files and commits alone. */
	quit: (programs: NamedPrograms) => inClone('quit', limits, [...inWorktree(programs), 'am', '--quit']),
};

function lines(texts: readonly string[]): Uint8Array {
	return Buffer.from(texts.map((text) => `${text}\n`).join(''), 'utf8');
}

function terminated(paths: readonly string[]): Uint8Array {
	return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'utf8');
}

/** Writes files in this folder even if the configuration names another worktree. */
function inWorktree(programs: NamedPrograms): readonly string[] {
	const settings = ['apply.ignoreWhitespace=no', 'rerere.enabled=false', 'mailinfo.quotedCr=warn', 'am.keepcr=false'];
	return ['--work-tree=.', ...settings.flatMap((setting) => ['-c', setting]), ...withoutPrograms(programs)];
}

/**
 * Settings that turn filters into no-ops, let merge drivers leave a conflict, and disable hooks. Since git 2.54 the
 * configuration can name hooks, and `core.hooksPath` does not disable those.
 */
export function withoutPrograms(programs: NamedPrograms): readonly string[] {
	return programs.flatMap((name) => {
		if (!isNamedProgram(name)) {
			throw new GitFailure({ kind: 'failed', program: 'git' }, 'a filter of an odd name');
		}
		const settings = name.startsWith('filter.')
			? [`${name}.clean=`, `${name}.smudge=`, `${name}.process=`, `${name}.required=false`]
			: name.startsWith('merge.')
				? [`${name}.driver=false`]
				: [`${name}.enabled=false`];
		return settings.flatMap((setting) => ['-c', setting]);
	});
}

/**
 * True if the name is unambiguous in `-c name.clean=`. A name with invalid UTF-8 contains a replacement character, so
 * the setting would override another one.
 */
export function isNamedProgram(name: string): boolean {
	return /^(?:filter|merge|hook)\.[^\p{Cc}=\uFFFD]{1,200}$/u.test(name) && name.isWellFormed();
}
