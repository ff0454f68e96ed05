import { Buffer } from 'node:buffer';
import { isAbsolute } from 'node:path';
import { GitFailure } from './gitFailure.ts';
import { branchArgument, idArgument } from './gitNames.ts';

/** Filters, drivers of merges and hooks that a configuration names, such as `filter.lfs`. */
export type NamedPrograms = readonly string[];

/** What applying a series takes, each in the folder that it is about. */
export type ApplyStep =
	/** The settings that name filters, drivers of merges and hooks, as they hold in this folder and on its branch. */
	| { readonly kind: 'namedPrograms' }
	/** The path of a file in git's own folder of this worktree. */
	| { readonly kind: 'gitPath'; readonly name: 'rebase-apply' | 'forge-desk-worktree' | 'modules' }
	/** The top folder of the worktree, as the configuration says. */
	| { readonly kind: 'top' }
	| { readonly kind: 'head' }
	/** The full name of the branch that is checked out; fails where none is. */
	| { readonly kind: 'branch' }
	/** The commit of a branch; fails where there is no such branch. */
	| { readonly kind: 'branchHead'; readonly branch: string }
	/** All worktrees of the clone, each with its folder. */
	| { readonly kind: 'worktrees' }
	/** What in a worktree is not committed, and what is ignored there. */
	| { readonly kind: 'changes'; readonly programs: NamedPrograms }
	/** How many commits lead from one to another. */
	| { readonly kind: 'count'; readonly from: string; readonly to: string }
	/** How many commits no branch of a remote has. */
	| { readonly kind: 'unpushed' }
	/** The entries of the index that are in conflict, and those that were until somebody staged their files. */
	| { readonly kind: 'unmerged' | 'resolved' }
	/** One commit by `git fast-import`; in a repository of our own. */
	| { readonly kind: 'importFiles'; readonly stream: Uint8Array }
	/** An index of this commit without files; in a repository of our own. */
	| { readonly kind: 'readTree'; readonly commit: string }
	/** Writes these files of the index, where it has them. */
	| { readonly kind: 'writeFiles'; readonly paths: readonly string[] }
	/** The size of conflict markers that attributes say for files. */
	| { readonly kind: 'markerSizes'; readonly paths: readonly string[] }
	/** Commits from the oldest on, each with the files that it changes and their ids. */
	| { readonly kind: 'committed'; readonly from: string; readonly to: string }
	/** The same commits, each with its author and message. */
	| { readonly kind: 'messages'; readonly from: string; readonly to: string }
	/** What the index has otherwise than the commit that is checked out. */
	| { readonly kind: 'staged' }
	/** Takes these files of the worktree as they are; what is gone is taken for deleted. */
	| { readonly kind: 'stage'; readonly paths: readonly string[]; readonly programs: NamedPrograms }
	/** A new branch at `commit` in a new folder, without its files. */
	| {
			readonly kind: 'addWorktree';
			readonly folder: string;
			readonly branch: string;
			readonly commit: string;
			readonly programs: NamedPrograms;
	  }
	/** Writes the files of the commit that is checked out. */
	| { readonly kind: 'fillWorktree'; readonly programs: NamedPrograms }
	/** `isForced`: whatever stands in it. */
	| {
			readonly kind: 'removeWorktree';
			readonly folder: string;
			readonly isForced: boolean;
			readonly programs: NamedPrograms;
	  }
	/** Removes a branch that still is at this commit, and fails for any other. */
	| {
			readonly kind: 'dropBranch';
			readonly branch: string;
			readonly commit: string;
			readonly programs: NamedPrograms;
	  }
	/** `git am -3` of mails on the branch that is checked out. `isBare`: their names have no `a/` and `b/`. */
	| {
			readonly kind: 'start';
			readonly mailbox: Uint8Array;
			readonly programs: NamedPrograms;
			readonly isBare?: boolean | undefined;
	  }
	/** `quit` forgets the series and leaves everything as it is. */
	| { readonly kind: 'continue' | 'skip' | 'abort' | 'quit'; readonly programs: NamedPrograms };

/** What `git am` keeps of the options below while it is stopped, and what of none. */
export const keptApplyOptions: readonly (string | undefined)[] = ["'--whitespace=nowarn'", ''];

/** Arguments of a step behind the settings of all operations. Throws `GitFailure` for what is never handed to git. */
export function applyArguments(step: ApplyStep): readonly string[] {
	switch (step.kind) {
		case 'namedPrograms':
			// No more of the name: what is no text there is matched by nothing.
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
				// Git would run itself in a submodule, whose configuration names programs that no argument overrules.
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
				// Git looks once more for what is not committed, and would pass over what the configuration hides.
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

/** Git keeps nothing of signing while it is stopped: each step that makes commits is told again. */
function isGoingOn(kind: 'continue' | 'skip' | 'abort' | 'quit'): boolean {
	return kind === 'continue' || kind === 'skip';
}

/** What a step reads from its standard input. */
export function applyInput(step: ApplyStep): Uint8Array | undefined {
	if (step.kind === 'stage' || step.kind === 'markerSizes' || step.kind === 'writeFiles') {
		return Buffer.from(step.paths.map((path) => `${path}\0`).join(''), 'utf8');
	}
	return step.kind === 'start' ? step.mailbox : step.kind === 'importFiles' ? step.stream : undefined;
}

const noSignature: readonly string[] = ['--no-gpg-sign'];

/** Nothing is changed in what was reviewed, whatever the configuration says. */
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

/** Whatever folder the configuration calls the worktree, files are written in this one. */
function inWorktree(programs: NamedPrograms): readonly string[] {
	const settings = ['apply.ignoreWhitespace=no', 'rerere.enabled=false', 'mailinfo.quotedCr=warn', 'am.keepcr=false'];
	return ['--work-tree=.', ...settings.flatMap((setting) => ['-c', setting]), ...withoutPrograms(programs)];
}

/**
 * Settings by which filters do nothing, drivers of merges leave a conflict, and hooks are off: since git 2.54 a
 * configuration names hooks too, which `core.hooksPath` does not switch off.
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
 * True for a name that cannot be taken for anything else in an argument `-c name.clean=`. One that is no UTF-8 was read
 * with a replacement in it, so that another would be overruled.
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
