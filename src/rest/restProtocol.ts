import { readPersonalToken } from '../answers/personalToken.ts';
import type { ForgeProtocol } from '../forge/forgeProtocol.ts';
import { contentAreas, type ContentArea, type ForgeInstance } from '../forge/instance.ts';
import { areaOfScope, scopes, type HeldScopes, type Scope } from '../forge/scope.ts';

/** How a forge writes scopes. */
export interface Spelling {
	/** Put before the name, per area: `todo.forge.example/` or a raw client id with a slash. */
	readonly prefixes: Readonly<Record<ContentArea, string>>;
	/** Names that the server spells otherwise, as `emails` → `email`, or whole scopes, as `patches:write` → `patches:read`. */
	readonly names: Readonly<Record<string, string>>;
}

/** Forges of the contract: a scope is one grant, `name:access`, with a prefix that says which area. */
export function restProtocol(instance: ForgeInstance): ForgeProtocol {
	const spelling = spellingOf(instance);
	return {
		areas: contentAreas,
		signIn: instance.signIn.kind === 'secret' ? { kind: 'tokenOnly' } : instance.signIn,
		grantsOf: (scope) => [spellScope(scope, spelling)],
		besides: [],
		readGranted: (text) => readGranted(text, spelling),
		readToken: (token) =>
			readPersonalToken(token) === undefined ? { kind: 'untold' } : { kind: 'ofOtherServers', isOlder: false },
		// The page asks for nothing: its tokens carry everything.
		tokenPage: () => `${instance.areas.meta}/oauth/personal-token`,
	};
}

/** What the settings say of a forge's spelling, and what they leave out. */
export function spellingOf({ signIn, scopeSpelling }: Pick<ForgeInstance, 'signIn' | 'scopeSpelling'>): Spelling {
	// Servers of the older flow know an area by the section of their own configuration, whatever its host is called, and
	// the e-mails in the singular (docs/protocol.md#scope-spelling).
	const isOlder = signIn.kind === 'exchange';
	const prefix = (area: ContentArea): string => scopeSpelling.prefixes[area] ?? (isOlder ? `${area}.sr.ht/` : '');
	return {
		prefixes: { todo: prefix('todo'), git: prefix('git'), lists: prefix('lists') },
		names: { ...(isOlder ? { emails: 'email' } : {}), ...scopeSpelling.names },
	};
}

/** A spelling of the whole scope goes before one of its name. */
function spellScope(scope: Scope, spelling: Spelling): string {
	const [name = '', access = 'read'] = scope.split(':');
	const written = spelling.names[scope] ?? `${spelling.names[name] ?? name}:${access}`;
	return `${spelling.prefixes[areaOfScope(scope)]}${written}`;
}

/** All scopes that there are, with the longest prefixes, are a tenth of this. */
const longestScopes = 20_000;

/**
 * Reads scopes separated by commas or blanks. Servers answer with aliases or raw client ids before the name, in any
 * order, and with scopes that are none of ours; names tell the area, so a prefix only counts when it is one that this
 * forge uses for another area. A text that is too long to be scopes grants none.
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
	// Access is read when it is left out (docs/protocol.md#scope-spelling).
	const full = name.includes(':') ? name : `${name}:read`;
	return !isForeign && (full === bare || full === ownName);
}
