import { delimiter } from 'node:path';
import { absoluteFolders } from './findProgram.ts';

/**
 * Keeps the user's global settings of git: proxies, certificates, ssh keys, system and user configuration. Drops
 * variables that redirect git to another repository, start programs or ask questions.
 */

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Kept git variables: network access, the user's configuration, and identity. Settings in variables
 * (`GIT_CONFIG_COUNT`) are weaker than our arguments.
 */
const keptOfGit =
	/^GIT_(?:EXEC_PATH|SSH|SSH_COMMAND|SSH_VARIANT|SSL_.*|PROXY_SSL_.*|HTTP_PROXY_AUTHMETHOD|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|CONFIG_COUNT|CONFIG_(?:KEY|VALUE)_\d+|(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL))$/;

/** The editor's own variables. */
const ownNames = /^(?:VSCODE_.*|ELECTRON_.*|NODE_OPTIONS|FORGE_DESK_.*)$/;

/** Only the user's character set stays: we parse the messages, so they must be English. */
const languageNames = /^(?:LC_ALL|LC_MESSAGES|LANGUAGE)$/;

/** Allowed protocols; empty means no network. Configuration cannot change this. */
export type Protocols = readonly ('https' | 'http' | 'ssh')[];

/** `inherited`: the editor's environment. */
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
		// An empty value disables password prompts.
		GIT_ASKPASS: '',
		GIT_OPTIONAL_LOCKS: '0',
		GIT_NO_REPLACE_OBJECTS: '1',
		GIT_NO_LAZY_FETCH: '1',
		GIT_PROTOCOL_FROM_USER: '0',
		GIT_PAGER: 'cat',
		// Older git ignores `GIT_NO_LAZY_FETCH` and would fetch missing objects by any configured transport.
		GIT_ALLOW_PROTOCOL: protocols.length === 0 ? 'none' : protocols.join(':'),
	};
}

function isPath(name: string): boolean {
	return name.toUpperCase() === 'PATH';
}

/** Git also searches PATH for ssh. */
function onlyAbsolute(path: string): string {
	return absoluteFolders(path).join(delimiter);
}
