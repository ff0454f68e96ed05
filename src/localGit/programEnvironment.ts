import { delimiter } from 'node:path';
import { absoluteFolders } from './findProgram.ts';

/*
 * What the user set for git as a whole stays: proxies, certificates, keys of ssh, and the configuration of the machine and
 * of the user. What would lead git to another repository, or let it run or ask something, goes.
 */

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables of git itself that stay: how to reach a server, the user's configuration, and who they are. Single settings in
 * variables (`GIT_CONFIG_COUNT`) are weaker than ours, which are arguments.
 */
const keptOfGit =
	/^GIT_(?:EXEC_PATH|SSH|SSH_COMMAND|SSH_VARIANT|SSL_.*|PROXY_SSL_.*|HTTP_PROXY_AUTHMETHOD|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|CONFIG_COUNT|CONFIG_(?:KEY|VALUE)_\d+|(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL))$/;

/** The editor's own, which no program needs to see. */
const ownNames = /^(?:VSCODE_.*|ELECTRON_.*|NODE_OPTIONS|FORGE_DESK_.*)$/;

/** Of the language only that of the letters is the user's: messages are read by us. */
const languageNames = /^(?:LC_ALL|LC_MESSAGES|LANGUAGE)$/;

/** Protocols that a run may use; none stands for no network at all. Nothing that a configuration says changes it. */
export type Protocols = readonly ('https' | 'http' | 'ssh')[];

/** The environment of every run. `inherited` is the editor's. */
export function programEnvironment(inherited: Environment, protocols: Protocols): Readonly<Record<string, string>> {
	const kept = Object.entries(inherited).filter((entry): entry is [string, string] => {
		const name = entry[0].toUpperCase();
		const isKept = name.startsWith('GIT_') ? keptOfGit.test(name) : !ownNames.test(name) && !languageNames.test(name);
		return isKept && entry[1] !== undefined;
	});
	return {
		...Object.fromEntries(kept.map(([name, value]) => [name, isPath(name) ? onlyAbsolute(value) : value])),
		LC_CTYPE: inherited['LC_ALL'] ?? inherited['LC_CTYPE'] ?? inherited['LANG'] ?? 'C.UTF-8',
		LC_MESSAGES: 'C',
		GIT_TERMINAL_PROMPT: '0',
		// Set and empty: no program asks for a password.
		GIT_ASKPASS: '',
		GIT_OPTIONAL_LOCKS: '0',
		GIT_NO_REPLACE_OBJECTS: '1',
		GIT_NO_LAZY_FETCH: '1',
		GIT_PROTOCOL_FROM_USER: '0',
		GIT_PAGER: 'cat',
		// Older than the line above, git would fetch what a clone lacks by whatever its configuration names.
		GIT_ALLOW_PROTOCOL: protocols.length === 0 ? 'none' : protocols.join(':'),
	};
}

function isPath(name: string): boolean {
	return name.toUpperCase() === 'PATH';
}

/** Git looks for ssh along PATH, too. */
function onlyAbsolute(path: string): string {
	return absoluteFolders(path).join(delimiter);
}
