import { Buffer } from 'node:buffer';
import { withoutPrograms, type NamedPrograms } from './applyCommands.ts';
import { everywhere, GitCommand, inClone, onMachine, receivedObjectBytes } from './gitCommand.ts';
import { GitFailure } from './gitFailure.ts';
import {
	identityArgument,
	addressArgument,
	branchArgument,
	folderArgument,
	idArgument,
	pathArgument,
	pushAddressArgument,
	revisionArgument,
	shortIdArgument,
	shownArgument,
	sourceArgument,
} from './gitNames.ts';
import { mailSettings, sendMailArguments, type SendMail } from './mailArguments.ts';

const minuteMs = 60_000;
/** For settings and single facts. */
const short = { timeMs: 20_000, outputBytes: 100_000 } as const;
/** For the template of a branch. */
const template = { timeMs: 10_000, outputBytes: 64_000 } as const;
const long = { timeMs: minuteMs, outputBytes: 64_000_000 } as const;
const ofTrees = { ...long, objectBytes: receivedObjectBytes } as const;
/** Large repositories take long over slow networks. */
const network = { timeMs: 60 * minuteMs, outputBytes: 1_000_000 } as const;
/** The consumer sets the pace. */
const contents = { timeMs: 60 * minuteMs, outputBytes: Number.MAX_SAFE_INTEGER } as const;

/** Reference of the fetched object in our own repository. */
export const fetchedTip = 'refs/forge-desk/tip';

/** The user's settings that we read. */
export type UserSetting =
	| 'gpg.program'
	| 'gpg.openpgp.program'
	| 'gpg.ssh.allowedSignersFile'
	| 'gpg.ssh.revocationFile'
	| 'sendemail.identity'
	| 'sendemail.from'
	| 'sendemail.smtpServer'
	| 'sendemail.sendmailCmd'
	/** Of one identity. */
	| `sendemail.${string}.${'from' | 'smtpServer' | 'sendmailCmd'}`
	| 'patatt.keyringsrc'
	| 'user.name'
	| 'user.email';

/** Input of `git format-patch`. */
export interface FormatPatches {
	/** Parent of the first patch's commit. */
	readonly base: string;
	readonly tip: string;
	/** Text in brackets before the number, such as `PATCH lantern v2`. */
	readonly tag: string;
	/** `Name <address>` of the sender. Git names a different author in the text. */
	readonly from: string;
}

/** With `applyCommands`, all git commands that we run. Throws `GitFailure` for unsafe values. */
export const gitCommands = {
	/** Clones into an empty `folder`, at `branch` or the default branch. */
	clone: (address: string, folder: string, branch: string | undefined) =>
		new GitCommand(
			'clone',
			// Large repositories take long over slow connections.
			{ timeMs: 360 * minuteMs, outputBytes: 1_000_000 },
			everywhere,
			[
				'clone',
				'--no-recurse-submodules',
				'--origin=origin',
				// No hooks from a template.
				'--template=',
				'--progress',
				...(branch === undefined ? [] : [`--branch=${branchArgument(branch)}`]),
				'--end-of-options',
				addressArgument(address),
				folderArgument(folder),
			],
			{ address },
		),

	/** Files of a commit with ids and sizes. */
	list: (commit: string) => inClone('list', long, ['ls-tree', '-r', '-l', '-z', '--full-tree', idArgument(commit)]),

	blobs: (ids: readonly string[]) =>
		inClone('blobs', contents, ['cat-file', '--batch', '--buffer'], lines(ids.map(idArgument))),

	/** Full ids and sizes of files by abbreviated ids. `^{blob}`, because a branch name may equal an abbreviated id. */
	findBlobs: (ids: readonly string[]) =>
		inClone(
			'findBlobs',
			{ timeMs: 20_000, outputBytes: 1_000_000 },
			['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)', '--buffer'],
			lines(ids.map((id) => `${shortIdArgument(id)}^{blob}`)),
		),

	/** Patches of the newest commits reachable from `commit`. */
	patches: (commit: string, count: number) =>
		inClone('patches', { ...contents, timeMs: 5 * minuteMs }, [
			'log',
			'--no-merges',
			'--format=%x00%H',
			'--patch',
			...diffOptions,
			`-n${count}`,
			idArgument(commit),
		]),

	/** One commit with its patch; without one for a merge. */
	patch: (commit: string) =>
		inClone('patch', long, [
			'log',
			'-n1',
			'--no-mailmap',
			'--format=%ae%n%at%n%ct%n%B%x00',
			'--patch',
			...diffOptions,
			idArgument(commit),
		]),

	/** Content of a file of a commit. */
	contentAt: (commit: string, path: string) =>
		inClone('contentAt', long, ['cat-file', 'blob', `${idArgument(commit)}:${pathArgument(path)}`]),

	/** The commit that gave a line of a file its form. Files of the working tree do not count: filters would run. */
	blame: (commit: string, path: string, line: number) =>
		inClone('blame', long, [
			'--literal-pathspecs',
			'-c',
			'core.quotePath=false',
			'blame',
			'--porcelain',
			'--no-textconv',
			// Clears those of the configuration.
			'--ignore-revs-file=',
			`-L${line},${line}`,
			idArgument(commit),
			'--',
			pathArgument(path),
		]),

	/** Fails unless the clone has the commit. */
	hasCommit: (commit: string) =>
		inClone('hasCommit', { timeMs: 10_000, outputBytes: 1000 }, ['cat-file', '-e', `${idArgument(commit)}^{commit}`]),

	/** All values of a setting with their scopes; the last one wins. Without our own settings of the same names. */
	userSetting: (name: UserSetting) =>
		new GitCommand('userSetting', short, everywhere, [
			'config',
			'--includes',
			'--show-scope',
			'-z',
			...(name.endsWith('File') ? ['--type=path'] : []),
			'--get-all',
			settingArgument(name),
		]),

	version: () => new GitCommand('version', short, everywhere, ['version']),

	/** Shows whether `git send-email` and its Perl modules are there. Sends nothing. */
	sendMailHelp: () => new GitCommand('sendMailHelp', short, everywhere, ['send-email', '-h']),

	/** All settings with their scopes. */
	allSettings: () =>
		new GitCommand('allSettings', { timeMs: 20_000, outputBytes: 4_000_000 }, everywhere, [
			'config',
			'--includes',
			'--show-scope',
			'-z',
			'--list',
		]),

	/** Settings of `git send-email` that decide about its commands, with scopes and files. Fails without any. */
	recipientSettings: () =>
		new GitCommand('recipientSettings', { ...short, outputBytes: 1_000_000 }, everywhere, [
			'config',
			'--includes',
			'--show-scope',
			'--show-origin',
			'-z',
			'--get-regexp',
			'^sendemail[.](.*[.])?(tocmd|cccmd|headercmd|suppresscc)$',
		]),

	/**
	 * Runs a shell command of the user's settings with a file as its last argument, in the top folder of the clone. By an
	 * alias, git finds its shell on Windows, too, and git within the command inherits our settings.
	 */
	recipients: (text: string, file: string) =>
		inClone('recipients', { timeMs: 10 * minuteMs, outputBytes: 1_000_000 }, [
			'-c',
			`alias.forge-desk-recipients=!${shownArgument(text)}`,
			'forge-desk-recipients',
			folderArgument(file),
		]),

	/** Author of commits in a folder; fails if git would have to guess. */
	identity: () => inClone('identity', short, ['-c', 'user.useConfigOnly=true', 'var', 'GIT_AUTHOR_IDENT']),

	/** Git folder shared by the clone's worktrees, relative to the working directory. */
	gitFolder: () =>
		inClone('gitFolder', { timeMs: minuteMs, outputBytes: 1_000_000 }, ['rev-parse', '--git-common-dir']),

	/** All values of `commit.template`; the last one wins. */
	templates: () =>
		inClone('templates', template, ['config', '--includes', '-z', '--type=path', '--get-all', 'commit.template']),

	/** Full names of all branches. */
	branches: () => inClone('branches', long, ['for-each-ref', '--format=%(refname)', 'refs/heads/']),

	/** Branches, remote-tracking branches and tags with their targets, newest first. */
	references: (count: number) =>
		inClone('references', { timeMs: minuteMs, outputBytes: 16_000_000 }, [
			'for-each-ref',
			`--count=${count}`,
			'--sort=-creatordate',
			'--format=%(objecttype) %(objectname)%00%(*objecttype) %(*objectname)%00%(symref)%00%(refname)',
			'refs/heads/',
			'refs/remotes/',
			'refs/tags/',
		]),

	/** Configuration includes per branch. */
	includesOnBranches: () =>
		inClone('includesOnBranches', { timeMs: 10_000, outputBytes: 4_000_000 }, [
			'config',
			'--local',
			'--no-includes',
			'-z',
			'--get-regexp',
			'^includeif[.]onbranch:.*[.]path$',
		]),

	/** Adds our include for one branch to the clone's configuration. */
	includeOnBranch: (branch: string, path: string) =>
		inClone('includeOnBranch', template, [
			'config',
			'--local',
			'--replace-all',
			...includeArguments(branch, path, path),
		]),

	/** Removes it. */
	excludeOnBranch: (branch: string, path: string) =>
		inClone('excludeOnBranch', template, ['config', '--local', '--unset-all', ...includeArguments(branch, path)]),

	/** Sends one mail with the user's global settings, to exactly these recipients. A server may take minutes. */
	sendMail(mail: SendMail) {
		const settings = mailSettings(mail);
		return new GitCommand(
			'sendMail',
			{ timeMs: 5 * minuteMs, outputBytes: 1_000_000 },
			(devNull) => [...onMachine(devNull), ...settings],
			sendMailArguments(mail),
		);
	},

	/** Remotes of a clone with their effective addresses. */
	remotes: () => inClone('remotes', { timeMs: 10_000, outputBytes: 200_000 }, ['remote', '--verbose']),

	/** References of a server's repository. */
	remoteReferences: (address: string) =>
		new GitCommand(
			'remoteReferences',
			{ ...long, timeMs: 30_000 },
			everywhere,
			['ls-remote', '--quiet', '--refs', '--end-of-options', addressArgument(address)],
			{ address },
		),

	/** Fetches trees from a server into our own repository, without their contents if the server supports filters. */
	fetchTrees: (address: string, ids: readonly string[]) =>
		new GitCommand(
			'fetchTrees',
			ofTrees,
			everywhere,
			[
				'--git-dir=.',
				'fetch',
				'--filter=tree:0',
				'--no-tags',
				'--no-write-fetch-head',
				'--no-recurse-submodules',
				'--progress',
				'--end-of-options',
				addressArgument(address),
				...ids.map(idArgument),
			],
			{ address },
		),

	/** Trees from that repository. The time includes the fetch. */
	trees: (ids: readonly string[]) =>
		inClone(
			'trees',
			{ ...ofTrees, timeMs: 2 * long.timeMs },
			['--git-dir=.', 'cat-file', '--batch', '--buffer'],
			lines(ids.map(idArgument)),
		),

	/** Fetches one branch, tag or commit into our own repository, as `fetchedTip`. */
	fetch: (address: string, what: string) =>
		new GitCommand(
			'fetch',
			network,
			(devNull) => [
				...onMachine(devNull),
				'core.alternateRefsCommand=false',
				'fetch.unpackLimit=1',
				'fetch.fsckObjects=true',
				'fetch.writeCommitGraph=false',
				'transfer.unpackLimit=1',
			],
			[
				'--git-dir=.',
				'fetch',
				'--no-tags',
				'--no-write-fetch-head',
				'--no-recurse-submodules',
				'--upload-pack=git-upload-pack',
				'--end-of-options',
				pushAddressArgument(address),
				`${sourceArgument(what)}:${fetchedTip}`,
			],
			{ address },
		),

	/** Pushes a commit to a server's branch, fast-forward only, from our own repository without a remote. */
	push: (address: string, commit: string, branch: string) =>
		new GitCommand(
			'push',
			network,
			(devNull) => [...onMachine(devNull), 'core.alternateRefsCommand=false', 'push.followTags=false'],
			[
				'--git-dir=.',
				'push',
				'--porcelain',
				'--no-force',
				'--no-verify',
				'--no-signed',
				'--no-recurse-submodules',
				'--receive-pack=git-receive-pack',
				'--end-of-options',
				pushAddressArgument(address),
				`${idArgument(commit)}:refs/heads/${branchArgument(branch)}`,
			],
			{ address },
		),

	/** Updates a remote-tracking branch of the clone. */
	noteRemoteBranch: (remote: string, branch: string, commit: string, programs: NamedPrograms) =>
		inClone('noteRemoteBranch', network, [
			...withoutPrograms(programs),
			'update-ref',
			'--no-deref',
			'--end-of-options',
			`refs/remotes/${branchArgument(remote)}/${branchArgument(branch)}`,
			idArgument(commit),
		]),

	/** Resolves a revision, such as `refs/remotes/origin/main` or `HEAD~2`; fails if it does not exist. */
	resolve: (revision: string) => inClone('resolve', long, verified(`${revisionArgument(revision)}^{commit}`)),

	/** Peels an object, such as a tag, to its commit; fails without one. */
	peel: (id: string) => inClone('peel', long, verified(`${idArgument(id)}^{commit}`)),

	/** Changed files between two commits with their numbers of lines, for people. */
	stat: (from: string, to: string) =>
		inClone('stat', long, [
			'diff',
			'--stat=72',
			'--no-ext-diff',
			'--no-textconv',
			'--no-color',
			'--no-relative',
			'--find-renames',
			'--ignore-submodules=none',
			idArgument(from),
			idArgument(to),
		]),

	mergeBase: (commits: readonly [string, string]) =>
		inClone('mergeBase', long, ['merge-base', ...commits.map(idArgument)]),

	/** Commits reachable from `tip` but not from `since`, newest first. */
	log: (since: string | undefined, tip: string, count: number) =>
		inClone('log', long, [
			'log',
			'-z',
			'--topo-order',
			'--no-mailmap',
			'--no-notes',
			'--no-patch',
			'--no-color',
			'--format=%H%n%P%n%an%n%ae%n%B',
			`-n${count}`,
			idArgument(tip),
			...(since === undefined ? [] : [`^${idArgument(since)}`]),
		]),

	/**
	 * People by the `.mailmap` of a commit, one a line. Run in the git folder: files of the working tree and of settings do
	 * not count.
	 */
	mailmap: (commit: string, people: readonly string[]) => {
		const blob = `mailmap.blob=${idArgument(commit)}:.mailmap`;
		const args = ['--git-dir=.', '-c', blob, '-c', 'mailmap.file=', 'check-mailmap', '--stdin'];
		return inClone('mailmap', long, args, Buffer.from(people.map((person) => `${person}\n`).join('')));
	},

	/** `format.subjectPrefix` of the repository or the user. */
	subjectPrefix: () => inClone('subjectPrefix', long, ['config', '--includes', '--get', 'format.subjectPrefix']),

	/**
	 * Ids of the commits up to `commit` that are on no remote branch, then the first ones that are, each after `-`.
	 * Without output, a remote branch has the commit.
	 */
	unpublished: (commit: string) =>
		inClone('unpublished', long, ['rev-list', '--boundary', idArgument(commit), '--not', '--remotes']),

	/**
	 * Formats patches, without numbers. Overrides repository settings that add recipients, headers or files. `stated`:
	 * the commit to name as the base, with the ids of patches between it and `base`.
	 */
	format({ base, tip, tag, from }: FormatPatches, stated: string | undefined) {
		if (!isTag(tag) || !/^[^\p{Cc}]{1,400}$/u.test(from)) {
			throw new GitFailure({ kind: 'refused', what: 'mail' });
		}
		return inClone('format', long, [
			'-c',
			'format.mboxrd=false',
			'format-patch',
			'--stdout',
			'--no-attach',
			'--no-cover-letter',
			'--no-thread',
			'--no-to',
			'--no-cc',
			'--no-add-header',
			'--no-signoff',
			'--no-signature',
			'--encode-email-headers',
			'--no-numbered',
			`--subject-prefix=${tag}`,
			`--from=${from}`,
			...(stated === undefined ? ['--no-base'] : [`--base=${idArgument(stated)}`]),
			...diffOptions,
			`${idArgument(base)}..${idArgument(tip)}`,
		]);
	},
};

/** True for a tag that all programs parse alike in a subject's brackets. */
export function isTag(tag: string): boolean {
	return /^[A-Za-z0-9][A-Za-z0-9 ._,/+~-]{0,99}$/.test(tag);
}

function verified(revision: string): readonly string[] {
	return ['rev-parse', '--verify', '--quiet', '--end-of-options', revision];
}

function settingArgument(name: UserSetting): string {
	const [, identity, key] = /^sendemail\.(.*)\.(from|smtpServer|sendmailCmd)$/s.exec(name) ?? [];
	return identity === undefined ? name : `sendemail.${identityArgument(identity)}.${key}`;
}

/** Default diffs of `git format-patch`. */
const diffOptions: readonly string[] = [
	'--no-notes',
	'--no-ext-diff',
	'--no-textconv',
	'--no-color',
	'--no-relative',
	'--full-index',
	'--binary',
	'--find-renames',
	'--unified=3',
	'--inter-hunk-context=0',
	'--diff-algorithm=myers',
	'--indent-heuristic',
	'--ignore-submodules=none',
	'--submodule=short',
	'--src-prefix=a/',
	'--dst-prefix=b/',
];

/** Setting name, optional value, and a pattern for our values. */
function includeArguments(branch: string, path: string, ...value: readonly string[]): readonly string[] {
	if (!/^forge-desk\/[0-9a-f]{16}\.gitconfig$/.test(path)) {
		throw new GitFailure({ kind: 'refused', what: 'folder' });
	}
	return [`includeIf.onbranch:${branchArgument(branch)}.path`, ...value, '^forge-desk/[0-9a-f]{16}[.]gitconfig$'];
}

function lines(all: readonly string[]): Uint8Array {
	return Buffer.from(all.map((line) => `${line}\n`).join(''), 'latin1');
}
