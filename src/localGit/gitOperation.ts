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
import type { Protocols } from './programEnvironment.ts';
import { everywhere, inside, onMachine, settings } from './gitSettings.ts';
import { seriesArguments, type SeriesStep } from './seriesOperation.ts';
import { mailSettings, sendMailArguments, type SendMail } from './sendMailArguments.ts';

/** All that git is ever asked to do. There is no way to hand it arguments of another kind. */
export type GitOperation =
	/** A clone of `address` in `folder`, which is empty, at `branch` or at the default branch. */
	| { readonly kind: 'clone'; readonly address: string; readonly folder: string; readonly branch: string | undefined }
	/** The files of a commit, with their ids and sizes. */
	| { readonly kind: 'list'; readonly commit: string }
	/** Contents, one after the other. */
	| { readonly kind: 'blobs'; readonly ids: readonly string[] }
	/** The full ids and sizes of files whose ids begin so. */
	| { readonly kind: 'findBlobs'; readonly ids: readonly string[] }
	/** Patches of the newest commits down from one. */
	| { readonly kind: 'patches'; readonly commit: string; readonly count: number }
	/** Fails unless the clone has the commit. */
	| { readonly kind: 'hasCommit'; readonly commit: string }
	/** All values of a setting with their scopes; the last one counts. */
	| { readonly kind: 'userSetting'; readonly name: UserSetting }
	/** Who makes commits in a folder; fails where git would have to guess. */
	| { readonly kind: 'identity' }
	/** Git's own folder of a clone, which its worktrees share; seen from the working directory. */
	| { readonly kind: 'gitFolder' }
	/** All files that `commit.template` names here, what holds last. */
	| { readonly kind: 'templates' }
	/** The full names of all branches, and the files that a clone's configuration includes on branches. */
	| { readonly kind: 'branches' | 'includesOnBranches' }
	/** The branches, branches of remotes and tags, the newest first, with what they name. */
	| { readonly kind: 'references'; readonly count: number }
	/** Lets a clone's configuration include a file of ours on one branch, or no longer. */
	| { readonly kind: 'includeOnBranch' | 'excludeOnBranch'; readonly branch: string; readonly path: string }
	/** The remotes of a clone with the addresses that git uses for them. */
	| { readonly kind: 'remotes' }
	/** The references of a repository on a server. */
	| { readonly kind: 'remoteReferences'; readonly address: string }
	/** Gets folders of a repository on a server into a repository of its own, without what is in them where the server can. */
	| { readonly kind: 'fetchTrees'; readonly address: string; readonly ids: readonly string[] }
	/** Gets one branch, tag or commit of a server into a repository of its own, as `fetchedTip` there. */
	| { readonly kind: 'fetch'; readonly address: string; readonly what: string }
	/** Folders out of that repository, one after the other. */
	| { readonly kind: 'trees'; readonly ids: readonly string[] }
	/** Pushes a commit to a branch of a server, where that only adds to it; in a repository of its own, without a remote. */
	| { readonly kind: 'push'; readonly address: string; readonly commit: string; readonly branch: string }
	/** Where a branch of a remote stands, as the clone knows it. */
	| {
			readonly kind: 'noteRemoteBranch';
			readonly remote: string;
			readonly branch: string;
			readonly commit: string;
			readonly programs: NamedPrograms;
	  }
	/** Sends one mail with what the user set for all repositories, to these and nobody else. */
	| ({ readonly kind: 'sendMail' } & SendMail)
	/** A step of applying a series; what writes files is asked for by a person each time. */
	| { readonly kind: 'apply'; readonly step: ApplyStep }
	/** A step of writing commits as patches, which changes nothing. */
	| { readonly kind: 'series'; readonly step: SeriesStep };

/** What was fetched into a repository of its own. */
export const fetchedTip = 'refs/forge-desk/tip';

/** Settings of the user's own that are looked up. */
export type UserSetting =
	| 'gpg.program'
	| 'gpg.openpgp.program'
	| 'gpg.ssh.allowedSignersFile'
	| 'gpg.ssh.revocationFile'
	| 'sendemail.identity'
	| 'sendemail.from'
	/** Of one identity. */
	| `sendemail.${string}.from`
	| 'user.name'
	| 'user.email';

/** Arguments of an operation, checked. Throws `GitFailure` for what is never handed to git. */
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
			// Without settings of ours that have the name of one of these.
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

/** As `git format-patch` writes diffs by default. */
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

/** The name of the setting, a value where there is one, and a pattern for the values that are ours. */
function includeArguments(
	{ branch, path }: { readonly branch: string; readonly path: string },
	...value: readonly string[]
): readonly string[] {
	if (!/^forge-desk\/[0-9a-f]{16}\.gitconfig$/.test(path)) {
		throw new GitFailure({ kind: 'refused', what: 'folder' });
	}
	return [`includeIf.onbranch:${branchArgument(branch)}.path`, ...value, '^forge-desk/[0-9a-f]{16}[.]gitconfig$'];
}

/** What is written to git's standard input, checked in the same way. */
export function inputOf(operation: GitOperation): Uint8Array | undefined {
	if (operation.kind === 'apply') {
		return applyInput(operation.step);
	}
	if (operation.kind === 'findBlobs') {
		// A branch may be called like the beginning of an id; it is no file.
		return lines(operation.ids.map((id) => `${shortIdArgument(id)}^{blob}`));
	}
	return operation.kind === 'blobs' || operation.kind === 'trees' ? lines(operation.ids.map(idArgument)) : undefined;
}

function lines(all: readonly string[]): Uint8Array {
	return Buffer.from(all.map((line) => `${line}\n`).join(''), 'latin1');
}

/** What of the network an operation needs. The user may have said that an address is reached by ssh instead. */
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
		// No hooks of a template are put into it.
		'--template=',
		'--progress',
		...(branch === undefined ? [] : [`--branch=${branchArgument(branch)}`]),
		'--end-of-options',
		addressArgument(address),
		folder,
	];
}
