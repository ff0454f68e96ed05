import { readPersonalToken } from '../answers/personalToken.ts';
import type { ForgeProtocol } from '../port/forgeProtocol.ts';
import { areasOf, type ContentArea, type ForgeInstance } from '../port/instance.ts';
import { areaOfScope, scopes, type HeldScopes, type Scope } from '../port/scope.ts';

/** Spelling of scopes on a forge. */
export interface Spelling {
	/** Prefix of names per area: `todo.forge.example/`, or a raw client id with a slash. */
	readonly prefixes: Readonly<Record<ContentArea, string>>;
	/** Spelling of names, such as `emails` → `email`, or of whole scopes, such as `patches:write` → `patches:read`. */
	readonly names: Readonly<Record<string, string>>;
}

/** Forges of the contract: a scope is one grant, `name:access`, with a prefix for the area. */
export function restProtocol(instance: ForgeInstance): ForgeProtocol {
	const spelling = spellingOf(instance);
	return {
		areas: areasOf(instance),
		signIn: instance.signIn.kind === 'secret' ? { kind: 'tokenOnly' } : instance.signIn,
		grantsOf: (scope) => [spellScope(scope, spelling)],
		besides: [],
		readGranted: (text) => readGranted(text, spelling),
		readToken: (token) =>
			readPersonalToken(token) === undefined ? { kind: 'untold' } : { kind: 'ofOtherServers', isOlder: false },
		// The page takes no parameters: its tokens have all permissions.
		tokenPage: () => `${instance.areas.meta}/oauth/personal-token`,
	};
}

/** Configured spelling, with defaults. */
export function spellingOf({ signIn, scopeSpelling }: Pick<ForgeInstance, 'signIn' | 'scopeSpelling'>): Spelling {
	// Older servers identify an area by a section of their own configuration, independent of its host, and spell
	// `email` in the singular (docs/protocol.md#scope-spelling).
	const isOlder = signIn.kind === 'exchange';
	const prefix = (area: ContentArea): string => scopeSpelling.prefixes[area] ?? (isOlder ? `${area}.sr.ht/` : '');
	return {
		prefixes: { todo: prefix('todo'), git: prefix('git'), lists: prefix('lists') },
		names: { ...(isOlder ? { emails: 'email' } : {}), ...scopeSpelling.names },
	};
}

/** The spelling of a whole scope overrides the spelling of its name. */
function spellScope(scope: Scope, spelling: Spelling): string {
	const [name = '', access = 'read'] = scope.split(':');
	const written = spelling.names[scope] ?? `${spelling.names[name] ?? name}:${access}`;
	return `${spelling.prefixes[areaOfScope(scope)]}${written}`;
}

/** Ten times the length of all scopes with the longest prefixes. */
const longestScopes = 20_000;

/**
 * Reads scopes separated by commas or blanks. Servers send them in any order, with aliases or raw client ids as prefix,
 * and include unknown scopes. The name determines the area, so a prefix counts only if this forge uses it for another
 * area. An overlong text grants nothing.
 */
function readGranted(text: string, spelling: Spelling): HeldScopes {
	const words = text.length > longestScopes ? [] : text.split(/[,\s]+/).filter((word) => word !== '');
	if (words.includes('*')) {
		return 'all';
	}
	return scopes.filter((scope) => words.some((word) => isWrittenAs(scope, word, spelling)));
}

function isWrittenAs(scope: Scope, word: string, spelling: Spelling): boolean {
	const written = spellScope(scope, spelling);
	const slash = word.lastIndexOf('/') + 1;
	const prefix = word.slice(0, slash);
	const name = word.slice(slash);
	const isForeign =
		prefix !== '' &&
		Object.entries(spelling.prefixes).some(([area, own]) => own === prefix && area !== areaOfScope(scope));
	const [bare, ownName] = [written.slice(written.lastIndexOf('/') + 1), scope];
	// The default access is read (docs/protocol.md#scope-spelling).
	const full = name.includes(':') ? name : `${name}:read`;
	return !isForeign && (full === bare || full === ownName);
}
