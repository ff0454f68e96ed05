import { Buffer } from 'node:buffer';
import { isAbsolute } from 'node:path';
import { GitFailure } from './gitFailure.ts';
import { branchArgument, idArgument } from './gitNames.ts';

/** Filters, merge drivers and hooks from the configuration, such as `filter.lfs`. */
export type NamedPrograms = readonly string[];

/** A git command for applying a series. Runs in the worktree or repository concerned. */
export type ApplyStep =
	/** Names of configured filters, merge drivers and hooks, including those for the current branch. */
	| { readonly kind: 'namedPrograms' }
	/** Path of a file in this worktree's git folder. */
	| { readonly kind: 'gitPath'; readonly name: 'rebase-apply' | 'forge-desk-worktree' | 'modules' }
	/** Top folder of the worktree according to the configuration. */
	| { readonly kind: 'top' }
	| { readonly kind: 'head' }
	/** Full name of the current branch; fails on a detached HEAD. */
	| { readonly kind: 'branch' }
	/** Commit of a branch; fails if the branch does not exist. */
	| { readonly kind: 'branchHead'; readonly branch: string }
	| { readonly kind: 'worktrees' }
	/** Uncommitted changes and ignored files. */
	| { readonly kind: 'changes'; readonly programs: NamedPrograms }
	/** Number of commits from `from` to `to`. */
	| { readonly kind: 'count'; readonly from: string; readonly to: string }
	/** Number of commits that no remote branch contains. */
	| { readonly kind: 'unpushed' }
	/** Conflicted index entries; those resolved by staging. */
	| { readonly kind: 'unmerged' | 'resolved' }
	/** Creates one commit with `git fast-import`, in our own repository. */
	| { readonly kind: 'importFiles'; readonly stream: Uint8Array }
	/** Fills the index from a commit without writing files, in our own repository. */
	| { readonly kind: 'readTree'; readonly commit: string }
	/** Checks out these paths from the index, as far as they exist there. */
	| { readonly kind: 'writeFiles'; readonly paths: readonly string[] }
	/** Conflict marker sizes from attributes. */
	| { readonly kind: 'markerSizes'; readonly paths: readonly string[] }
	/** Commits, oldest first, with changed files and blob ids. */
	| { readonly kind: 'committed'; readonly from: string; readonly to: string }
	/** The same commits with authors and messages. */
	| { readonly kind: 'messages'; readonly from: string; readonly to: string }
	/** Differences between index and HEAD. */
	| { readonly kind: 'staged' }
	/** Stages these paths as they are in the worktree, deletions included. */
	| { readonly kind: 'stage'; readonly paths: readonly string[]; readonly programs: NamedPrograms }
	/** Creates a branch at `commit` in a new folder, without checkout. */
	| {
			readonly kind: 'addWorktree';
			readonly folder: string;
			readonly branch: string;
			readonly commit: string;
			readonly programs: NamedPrograms;
	  }
	/** Writes the files of HEAD. */
	| { readonly kind: 'fillWorktree'; readonly programs: NamedPrograms }
	/** `isForced`: also with changes. */
	| {
			readonly kind: 'removeWorktree';
			readonly folder: string;
			readonly isForced: boolean;
			readonly programs: NamedPrograms;
	  }
	/** Deletes a branch; fails if it has moved from this commit. */
	| {
			readonly kind: 'dropBranch';
			readonly branch: string;
			readonly commit: string;
			readonly programs: NamedPrograms;
	  }
	/** `git am -3` on the current branch. `isBare`: paths in the patches have no `a/` and `b/`. */
	| {
			readonly kind: 'start';
			readonly mailbox: Uint8Array;
			readonly programs: NamedPrograms;
			readonly isBare?: boolean | undefined;
	  }
	/** `quit` forgets the series and leaves files and commits alone. */
	| { readonly kind: 'continue' | 'skip' | 'abort' | 'quit'; readonly programs: NamedPrograms };

/** Options that `git am` saves while stopped: with our options, and with none. */
export const keptApplyOptions: readonly (string | undefined)[] = ["'--whitespace=nowarn'", ''];

/** Checked arguments, without the settings of all operations. Throws `GitFailure` for unsafe values. */
export function applyArguments(step: ApplyStep): readonly string[] {
	switch (step.kind) {
		case 'namedPrograms':
			// The pattern ends here: git matches no name that is not valid text.
			return ['config', '--includes', '-z', '--name-only', '--get-regexp', '^(filter|merge|hook)[.]'];
		case 'gitPath':
			return ['rev-parse', '--git-path', step.name];
		case 'top':
			return ['rev-parse', '--show-toplevel'];
		case 'head':
			return ['rev-parse', '--verify', '--end-of-options', 'HEAD^{commit}'];
		case 'branchHead':
			return ['rev-parse', '--verify', '--end-of-options', `refs/heads/${branchArgument(step.branch)}^{commit}`];
		case 'worktrees':
			return ['worktree', 'list', '--porcelain'];
		case 'changes':
			return [
				...inWorktree(step.programs),
				'status',
				'--porcelain',
				'-z',
				'--ignored=traditional',
				'--untracked-files=normal',
				// Otherwise git would run in the submodule, and no argument overrides the programs in its
				// configuration.
				'--ignore-submodules=dirty',
			];
		case 'count':
			return ['rev-list', '--count', idArgument(step.to), '--not', idArgument(step.from)];
		case 'unpushed':
			return ['rev-list', '--count', 'HEAD', '--not', '--remotes'];
		case 'branch':
			return ['symbolic-ref', '--quiet', 'HEAD'];
		case 'stage':
			return [
				'--literal-pathspecs',
				...inWorktree(step.programs),
				'add',
				'--all',
				'--pathspec-from-file=-',
				'--pathspec-file-nul',
			];
		case 'unmerged':
			return ['ls-files', '--unmerged', '--full-name', '-z'];
		case 'resolved':
			return ['ls-files', '--resolve-undo', '--full-name', '-z'];
		case 'importFiles':
			return ['fast-import', '--quiet', '--done'];
		case 'readTree':
			return ['read-tree', idArgument(step.commit)];
		case 'writeFiles':
			return ['checkout-index', '--quiet', '--force', '--index', '-z', '--stdin'];
		case 'markerSizes':
			return ['check-attr', '-z', '--stdin', 'conflict-marker-size'];
		case 'committed':
			return [
				'log',
				'--reverse',
				'--format=%H',
				'--raw',
				'--no-abbrev',
				'--no-renames',
				'--ignore-submodules=none',
				'-z',
				idArgument(step.to),
				`^${idArgument(step.from)}`,
				'--',
			];
		case 'messages':
			return [
				'log',
				'--reverse',
				'--no-mailmap',
				'--no-patch',
				'--format=%an%n%ae%n%B',
				'-z',
				idArgument(step.to),
				`^${idArgument(step.from)}`,
				'--',
			];
		case 'staged':
			return ['diff-index', '--cached', '--raw', '--no-abbrev', '--no-renames', '-z', 'HEAD', '--'];
		case 'addWorktree':
			return [
				...withoutPrograms(step.programs),
				'worktree',
				'add',
				'--no-checkout',
				'--no-track',
				'--no-guess-remote',
				'-b',
				branchArgument(step.branch),
				'--end-of-options',
				folderArgument(step.folder),
				idArgument(step.commit),
			];
		case 'fillWorktree':
			return [...inWorktree(step.programs), 'reset', '--hard', '--quiet', '--no-recurse-submodules'];
		case 'removeWorktree':
			return [
				...withoutPrograms(step.programs),
				// Git repeats the check for changes, and without this setting skips files that the configuration hides.
				'-c',
				'status.showUntrackedFiles=normal',
				'worktree',
				'remove',
				step.isForced ? '--force' : '--no-force',
				'--end-of-options',
				folderArgument(step.folder),
			];
		case 'dropBranch':
			return [
				...withoutPrograms(step.programs),
				'update-ref',
				'--no-deref',
				'-d',
				'--end-of-options',
				`refs/heads/${branchArgument(step.branch)}`,
				idArgument(step.commit),
			];
		case 'start':
			return [...inWorktree(step.programs), 'am', ...amOptions, ...(step.isBare === true ? ['-p0'] : [])];
		case 'continue':
		case 'skip':
		case 'abort':
		case 'quit':
			return [...inWorktree(step.programs), 'am', `--${step.kind}`, ...(isGoingOn(step.kind) ? noSignature : [])];
	}
}

/** Git does not save signing options while stopped, so each committing step repeats them. */
function isGoingOn(kind: 'continue' | 'skip' | 'abort' | 'quit'): boolean {
	return kind === 'continue' || kind === 'skip';
}

/** Standard input of a step. */
export function applyInput(step: ApplyStep): Uint8Array | undefined {
	if (step.kind === 'stage' || step.kind === 'markerSizes' || step.kind === 'writeFiles') {
		return Buffer.from(step.paths.map((path) => `${path}\0`).join(''), 'utf8');
	}
	return step.kind === 'start' ? step.mailbox : step.kind === 'importFiles' ? step.stream : undefined;
}

const noSignature: readonly string[] = ['--no-gpg-sign'];

/** Keep the reviewed patches unchanged, whatever the configuration says. */
const amOptions: readonly string[] = [
	'--3way',
	'--patch-format=mbox',
	'--no-keep-cr',
	'--no-scissors',
	'--no-message-id',
	'--no-signoff',
	'--no-rerere-autoupdate',
	'--whitespace=nowarn',
	...noSignature,
];

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
		return overruled(name).flatMap((setting) => ['-c', setting]);
	});
}

function overruled(name: string): readonly string[] {
	if (name.startsWith('filter.')) {
		return [`${name}.clean=`, `${name}.smudge=`, `${name}.process=`, `${name}.required=false`];
	}
	return name.startsWith('merge.') ? [`${name}.driver=false`] : [`${name}.enabled=false`];
}

/**
 * True if the name is unambiguous in `-c name.clean=`. A name with invalid UTF-8 contains a replacement character, so
 * the setting would override another one.
 */
export function isNamedProgram(name: string): boolean {
	return /^(?:filter|merge|hook)\.[^\p{Cc}=\uFFFD]{1,200}$/u.test(name) && name.isWellFormed();
}

function folderArgument(folder: string): string {
	if (!isAbsolute(folder)) {
		throw new GitFailure({ kind: 'refused', what: 'folder' });
	}
	return folder;
}
