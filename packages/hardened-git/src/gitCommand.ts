import type { Protocols } from './runProgram.ts';

/**
 * `timeMs` pauses while the user is asked; more than `outputBytes` ends the run. `objectBytes`: git ends as `tooMuch` at a
 * larger object, also at one that a small object is a difference of. Received objects may be tiny and unpack to gigabytes.
 */
interface CommandLimits {
	readonly objectBytes?: number;
	readonly timeMs: number;
	readonly outputBytes: number;
}

/** Of a received tree, commit or mail, with its differences. Git has tables of some 100 MB for the largest repositories. */
export const receivedObjectBytes = 512 * 1024 * 1024;

/** A git command with checked arguments. Only `gitCommands`, `applyCommands`, `historyCommands` and `epochCommands` make one. */
export class GitCommand {
	readonly kind: string;
	readonly limits: CommandLimits;
	/** From the subcommand on. */
	readonly args: readonly string[];
	readonly input: Uint8Array | undefined;
	readonly #address: string | undefined;
	readonly #settings: (devNull: string) => readonly string[];

	/** `settings`: overrides of the configuration. `address`: of the server; without it, no network is allowed. */
	constructor(
		kind: string,
		limits: CommandLimits,
		settings: (devNull: string) => readonly string[],
		args: readonly string[],
		{ input, address }: { readonly input?: Uint8Array; readonly address?: string } = {},
	) {
		this.kind = kind;
		this.limits = limits;
		this.args = args;
		this.input = input;
		this.#address = address;
		this.#settings = settings;
	}

	/** All arguments. */
	arguments(devNull: string): readonly string[] {
		return ['--no-pager', ...this.#settings(devNull).flatMap((setting) => ['-c', setting]), ...this.args];
	}

	/** Includes ssh, because the user may rewrite https addresses to ssh. */
	protocols(): Protocols {
		if (this.#address === undefined) {
			return [];
		}
		return this.#address.startsWith('http:') ? ['http', 'ssh'] : ['https', 'ssh'];
	}
}

/** A command in a clone, without network. */
export function inClone(kind: string, limits: CommandLimits, args: readonly string[], input?: Uint8Array): GitCommand {
	return new GitCommand(kind, limits, (devNull) => [...everywhere(devNull), ...inClones], args, input && { input });
}

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

/** Overrides every configuration file; git may still ask for passwords. */
export function onMachine(devNull: string): readonly string[] {
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
export function everywhere(devNull: string): readonly string[] {
	return [...onMachine(devNull), 'core.askPass=', 'credential.helper='];
}
