import { isAbsolute } from 'node:path';
import { GitFailure } from './gitFailure.ts';
import { addressArgument, branchArgument, commitArgument } from './gitNames.ts';
import type { Protocols } from './programEnvironment.ts';

/** All that git is ever asked to do. There is no way to hand it arguments of another kind. */
export type GitOperation =
	/** A clone of `address` in `folder`, which is empty, at `branch` or at the default branch. */
	| { readonly kind: 'clone'; readonly address: string; readonly folder: string; readonly branch: string | undefined }
	/** The lines of the files of a commit that match. */
	| ({ readonly kind: 'grep' } & GrepOperation)
	/** Fails unless the clone has the commit. */
	| { readonly kind: 'hasCommit'; readonly commit: string }
	/** A setting that the user made for all repositories, and nothing that a repository says. */
	| { readonly kind: 'userSetting'; readonly name: UserSetting };

export interface GrepOperation {
	readonly commit: string;
	readonly pattern: string;
	readonly syntax: 'fixed' | 'perl' | 'extended';
	readonly matchCase: boolean;
}

/** Settings of the user's own that are looked up. */
export type UserSetting =
	| 'gpg.program'
	| 'gpg.openpgp.program'
	| 'gpg.ssh.allowedSignersFile'
	| 'gpg.ssh.revocationFile';

/** The longest pattern that is searched for. */
const longestPattern = 1000;

/** Arguments of an operation, checked. Throws `GitFailure` for what is never handed to git. */
export function argumentsOf(operation: GitOperation, devNull: string): readonly string[] {
	switch (operation.kind) {
		case 'clone':
			return [...settings(everywhere(devNull)), ...cloneArguments(operation)];
		case 'grep':
			return [...settings([...everywhere(devNull), ...inClones]), ...grepArguments(operation)];
		case 'hasCommit':
			return [
				...settings([...everywhere(devNull), ...inClones]),
				'cat-file',
				'-e',
				`${commitArgument(operation.commit)}^{commit}`,
			];
		case 'userSetting':
			return [
				...settings([...everywhere(devNull), ...inClones]),
				'config',
				'--global',
				'--includes',
				...(operation.name.endsWith('File') ? ['--type=path'] : []),
				'--get',
				operation.name,
			];
	}
}

/** What of the network an operation needs. The user may have said that an address is reached by ssh instead. */
export function protocolsOf(operation: GitOperation): Protocols {
	return operation.kind === 'clone' ? (operation.address.startsWith('http:') ? ['http', 'ssh'] : ['https', 'ssh']) : [];
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

function grepArguments({ commit, pattern, syntax, matchCase }: GrepOperation): readonly string[] {
	if (pattern === '' || pattern.length > longestPattern || /[\0\n]/.test(pattern)) {
		throw new GitFailure({ kind: 'refused', what: 'pattern' });
	}
	const flag = { fixed: '--fixed-strings', perl: '--perl-regexp', extended: '--extended-regexp' }[syntax];
	return [
		'grep',
		'--null',
		'--line-number',
		'--column',
		'-I',
		'--full-name',
		'--no-color',
		'--no-textconv',
		'--no-recurse-submodules',
		flag,
		...(matchCase ? [] : ['--ignore-case']),
		// The pattern is the value of an option, so a dash in front of it means nothing.
		'-e',
		pattern,
		commitArgument(commit),
		'--',
	];
}

/** Stronger than what any file says. */
function everywhere(devNull: string): readonly string[] {
	return [
		'core.fsmonitor=false',
		`core.hooksPath=${devNull}`,
		'core.pager=cat',
		'core.askPass=',
		'core.protectHFS=true',
		'core.protectNTFS=true',
		// Reading needs no password over HTTPS, and ssh has keys.
		'credential.helper=',
		'diff.external=',
		'fetch.uriProtocols=',
		'gc.auto=0',
		'http.followRedirects=false',
		'init.templateDir=',
		'maintenance.auto=false',
		'protocol.ext.allow=never',
		'safe.bareRepository=explicit',
		'submodule.recurse=false',
		'transfer.bundleURI=false',
		'uploadpack.packObjectsHook=',
	];
}

/** Besides, where the configuration is a repository's and nothing reaches the network. */
const inClones: readonly string[] = [
	'core.alternateRefsCommand=false',
	'core.editor=false',
	'core.gitProxy=',
	'core.sshCommand=false',
	'gpg.program=false',
	'gpg.ssh.program=false',
	'grep.fallbackToNoIndex=false',
	'log.showSignature=false',
	'protocol.allow=never',
];

function settings(all: readonly string[]): readonly string[] {
	return ['--no-pager', ...all.flatMap((setting) => ['-c', setting])];
}
