import { Buffer } from 'node:buffer';
import { isAbsolute } from 'node:path';
import { applyArguments, applyInput, withoutPrograms, type ApplyStep, type NamedPrograms } from './applyOperation.ts';
import { GitFailure } from './gitFailure.ts';
import {
	addressArgument,
	branchArgument,
	idArgument,
	identityArgument,
	pushAddressArgument,
	shortIdArgument,
	sourceArgument,
} from './gitNames.ts';
import type { Protocols } from './runProgram.ts';
import { mailSettings, sendMailArguments, type SendMail } from './sendMailArguments.ts';
import { seriesArguments, type SeriesStep } from './seriesOperation.ts';

/** Additional overrides where a repository's configuration applies and no network is needed. */
const inClones: readonly string[] = [
	'commit.gpgSign=false',
	'core.alternateRefsCommand=false',
	'core.editor=false',
	'core.gitProxy=',
	'core.sshCommand=false',
	'gpg.program=false',
	'gpg.ssh.program=false',
	'log.showSignature=false',
	'protocol.allow=never',
];

/** All git commands that we run; no other arguments are possible. */
export type GitOperation =
	/** Clones into an empty `folder`, at `branch` or the default branch. */
	| { readonly kind: 'clone'; readonly address: string; readonly folder: string; readonly branch: string | undefined }
	/** Files of a commit with ids and sizes. */
	| { readonly kind: 'list'; readonly commit: string }
	| { readonly kind: 'blobs'; readonly ids: readonly string[] }
	/** Full ids and sizes of files by abbreviated ids. */
	| { readonly kind: 'findBlobs'; readonly ids: readonly string[] }
	/** Patches of the newest commits reachable from `commit`. */
	| { readonly kind: 'patches'; readonly commit: string; readonly count: number }
	/** Fails unless the clone has the commit. */
	| { readonly kind: 'hasCommit'; readonly commit: string }
	/** All values of a setting with their scopes; the last one wins. */
	| { readonly kind: 'userSetting'; readonly name: UserSetting }
	/** Author of commits in a folder; fails if git would have to guess. */
	| { readonly kind: 'identity' }
	/** Git folder shared by the clone's worktrees, relative to the working directory. */
	| { readonly kind: 'gitFolder' }
	/** All values of `commit.template`; the last one wins. */
	| { readonly kind: 'templates' }
	/** Full names of all branches; configuration includes per branch. */
	| { readonly kind: 'branches' | 'includesOnBranches' }
	/** Branches, remote-tracking branches and tags with their targets, newest first. */
	| { readonly kind: 'references'; readonly count: number }
	/** Adds or removes our include for one branch in the clone's configuration. */
	| { readonly kind: 'includeOnBranch' | 'excludeOnBranch'; readonly branch: string; readonly path: string }
	/** Remotes of a clone with their effective addresses. */
	| { readonly kind: 'remotes' }
	/** References of a server's repository. */
	| { readonly kind: 'remoteReferences'; readonly address: string }
	/** Fetches trees from a server into our own repository, without their contents if the server supports filters. */
	| { readonly kind: 'fetchTrees'; readonly address: string; readonly ids: readonly string[] }
	/** Fetches one branch, tag or commit into our own repository, as `fetchedTip`. */
	| { readonly kind: 'fetch'; readonly address: string; readonly what: string }
	/** Trees from that repository. */
	| { readonly kind: 'trees'; readonly ids: readonly string[] }
	/** Pushes a commit to a server's branch, fast-forward only, from our own repository without a remote. */
	| { readonly kind: 'push'; readonly address: string; readonly commit: string; readonly branch: string }
	/** Updates a remote-tracking branch of the clone. */
	| {
			readonly kind: 'noteRemoteBranch';
			readonly remote: string;
			readonly branch: string;
			readonly commit: string;
			readonly programs: NamedPrograms;
	  }
	/** Sends one mail with the user's global settings, to exactly these recipients. */
	| ({ readonly kind: 'sendMail' } & SendMail)
	/** A step of applying a series. The user confirms each step that writes files. */
	| { readonly kind: 'apply'; readonly step: ApplyStep }
	/** A read-only step of formatting patches. */
	| { readonly kind: 'series'; readonly step: SeriesStep };

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
	/** Sender of one identity. */
	| `sendemail.${string}.from`
	| 'user.name'
	| 'user.email';

/** Checked arguments. Throws `GitFailure` for unsafe values. */
export function argumentsOf(operation: GitOperation, devNull: string): readonly string[] {
	switch (operation.kind) {
		case 'clone':
			return [...settings(everywhere(devNull)), ...cloneArguments(operation)];
		case 'list':
			return [...inside(devNull), 'ls-tree', '-r', '-l', '-z', '--full-tree', idArgument(operation.commit)];
		case 'blobs':
			return [...inside(devNull), 'cat-file', '--batch', '--buffer'];
		case 'findBlobs':
			return [...inside(devNull), 'cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)', '--buffer'];
		case 'patches':
			return [
				...inside(devNull),
				'log',
				'--no-merges',
				'--format=%x00%H',
				'--patch',
				...diffOptions,
				`-n${operation.count}`,
				idArgument(operation.commit),
			];
		case 'hasCommit':
			return [...inside(devNull), 'cat-file', '-e', `${idArgument(operation.commit)}^{commit}`];
		case 'userSetting':
			// Without our own settings of the same names.
			return [
				...settings(everywhere(devNull)),
				'config',
				'--includes',
				'--show-scope',
				'-z',
				...(operation.name.endsWith('File') ? ['--type=path'] : []),
				'--get-all',
				settingArgument(operation.name),
			];
		case 'identity':
			return [...inside(devNull), '-c', 'user.useConfigOnly=true', 'var', 'GIT_AUTHOR_IDENT'];
		case 'gitFolder':
			return [...inside(devNull), 'rev-parse', '--git-common-dir'];
		case 'templates':
			return [...inside(devNull), 'config', '--includes', '-z', '--type=path', '--get-all', 'commit.template'];
		case 'branches':
			return [...inside(devNull), 'for-each-ref', '--format=%(refname)', 'refs/heads/'];
		case 'references':
			return [
				...inside(devNull),
				'for-each-ref',
				`--count=${operation.count}`,
				'--sort=-creatordate',
				'--format=%(objecttype) %(objectname)%00%(*objecttype) %(*objectname)%00%(symref)%00%(refname)',
				'refs/heads/',
				'refs/remotes/',
				'refs/tags/',
			];
		case 'includesOnBranches':
			return [
				...inside(devNull),
				'config',
				'--local',
				'--no-includes',
				'-z',
				'--get-regexp',
				'^includeif[.]onbranch:.*[.]path$',
			];
		case 'includeOnBranch':
			return [...inside(devNull), 'config', '--local', '--replace-all', ...includeArguments(operation, operation.path)];
		case 'excludeOnBranch':
			return [...inside(devNull), 'config', '--local', '--unset-all', ...includeArguments(operation)];
		case 'sendMail':
			return [...settings([...onMachine(devNull), ...mailSettings(operation)]), ...sendMailArguments(operation)];
		case 'remotes':
			return [...inside(devNull), 'remote', '--verbose'];
		case 'remoteReferences':
			return [
				...settings(everywhere(devNull)),
				'ls-remote',
				'--quiet',
				'--refs',
				'--end-of-options',
				addressArgument(operation.address),
			];
		case 'fetchTrees':
			return [
				...settings(everywhere(devNull)),
				'--git-dir=.',
				'fetch',
				'--filter=tree:0',
				'--no-tags',
				'--no-write-fetch-head',
				'--no-recurse-submodules',
				'--progress',
				'--end-of-options',
				addressArgument(operation.address),
				...operation.ids.map(idArgument),
			];
		case 'fetch':
			return [
				...settings([
					...onMachine(devNull),
					'core.alternateRefsCommand=false',
					'fetch.unpackLimit=1',
					'fetch.fsckObjects=true',
					'fetch.writeCommitGraph=false',
					'transfer.unpackLimit=1',
				]),
				'--git-dir=.',
				'fetch',
				'--no-tags',
				'--no-write-fetch-head',
				'--no-recurse-submodules',
				'--upload-pack=git-upload-pack',
				'--end-of-options',
				pushAddressArgument(operation.address),
				`${sourceArgument(operation.what)}:${fetchedTip}`,
			];
		case 'trees':
			return [...inside(devNull), '--git-dir=.', 'cat-file', '--batch', '--buffer'];
		case 'push':
			return [
				...settings([...onMachine(devNull), 'core.alternateRefsCommand=false', 'push.followTags=false']),
				'--git-dir=.',
				'push',
				'--porcelain',
				'--no-force',
				'--no-verify',
				'--no-signed',
				'--no-recurse-submodules',
				'--receive-pack=git-receive-pack',
				'--end-of-options',
				pushAddressArgument(operation.address),
				`${idArgument(operation.commit)}:refs/heads/${branchArgument(operation.branch)}`,
			];
		case 'noteRemoteBranch':
			return [
				...inside(devNull),
				...withoutPrograms(operation.programs),
				'update-ref',
				'--no-deref',
				'--end-of-options',
				`refs/remotes/${branchArgument(operation.remote)}/${branchArgument(operation.branch)}`,
				idArgument(operation.commit),
			];
		case 'apply':
			return [...inside(devNull), ...applyArguments(operation.step)];
		case 'series':
			return [...inside(devNull), ...seriesArguments(operation.step, diffOptions)];
	}
}

function settingArgument(name: UserSetting): string {
	const [, identity] = /^sendemail\.(.*)\.from$/s.exec(name) ?? [];
	return identity === undefined ? name : `sendemail.${identityArgument(identity)}.from`;
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
function includeArguments(
	{ branch, path }: { readonly branch: string; readonly path: string },
	...value: readonly string[]
): readonly string[] {
	if (!/^forge-desk\/[0-9a-f]{16}\.gitconfig$/.test(path)) {
		throw new GitFailure({ kind: 'refused', what: 'folder' });
	}
	return [`includeIf.onbranch:${branchArgument(branch)}.path`, ...value, '^forge-desk/[0-9a-f]{16}[.]gitconfig$'];
}

/** Standard input, checked. */
export function inputOf(operation: GitOperation): Uint8Array | undefined {
	if (operation.kind === 'apply') {
		return applyInput(operation.step);
	}
	if (operation.kind === 'findBlobs') {
		// `^{blob}`, because a branch name may equal an abbreviated id.
		return lines(operation.ids.map((id) => `${shortIdArgument(id)}^{blob}`));
	}
	return operation.kind === 'blobs' || operation.kind === 'trees' ? lines(operation.ids.map(idArgument)) : undefined;
}

function lines(all: readonly string[]): Uint8Array {
	return Buffer.from(all.map((line) => `${line}\n`).join(''), 'latin1');
}

/** Allowed network protocols. Includes ssh, because the user may rewrite https addresses to ssh. */
export function protocolsOf(operation: GitOperation): Protocols {
	if (!('address' in operation)) {
		return [];
	}
	return operation.address.startsWith('http:') ? ['http', 'ssh'] : ['https', 'ssh'];
}

function cloneArguments({ address, folder, branch }: Extract<GitOperation, { kind: 'clone' }>): readonly string[] {
	if (!isAbsolute(folder)) {
		throw new GitFailure({ kind: 'refused', what: 'folder' });
	}
	return [
		'clone',
		'--no-recurse-submodules',
		'--origin=origin',
		// No hooks from a template.
		'--template=',
		'--progress',
		...(branch === undefined ? [] : [`--branch=${branchArgument(branch)}`]),
		'--end-of-options',
		addressArgument(address),
		folder,
	];
}

/** Overrides every configuration file; git may still ask for passwords. */
function onMachine(devNull: string): readonly string[] {
	return [
		'core.fsmonitor=false',
		`core.hooksPath=${devNull}`,
		'core.pager=cat',
		'core.protectHFS=true',
		'core.protectNTFS=true',
		'diff.external=',
		`diff.orderFile=${devNull}`,
		'fetch.uriProtocols=',
		'gc.auto=0',
		'http.followRedirects=false',
		'i18n.logOutputEncoding=UTF-8',
		'init.templateDir=',
		'maintenance.auto=false',
		'protocol.ext.allow=never',
		'safe.bareRepository=explicit',
		'submodule.recurse=false',
		'transfer.bundleURI=false',
		'uploadpack.packObjectsHook=',
	];
}

/** Overrides every configuration file and never asks for passwords: public https reads need none, and ssh uses keys. */
function everywhere(devNull: string): readonly string[] {
	return [...onMachine(devNull), 'core.askPass=', 'credential.helper='];
}

/** Settings of all commands in a clone. */
function inside(devNull: string): readonly string[] {
	return settings([...everywhere(devNull), ...inClones]);
}

/** As arguments in front of the git command. */
function settings(all: readonly string[]): readonly string[] {
	return ['--no-pager', ...all.flatMap((setting) => ['-c', setting])];
}
