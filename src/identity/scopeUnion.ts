import type { ScopeSpelling } from '../forge/instance.ts';
import { areaOfScope, covers, readScopes, scopes, spellScope, type Scope } from '../forge/scope.ts';
import type { HeldScopes } from './session.ts';

/** True when a token with `held` may use what needs `wanted`. Two scopes that the forge spells alike are one. */
export function holds(held: HeldScopes, wanted: Scope, spelling: ScopeSpelling): boolean {
	if (held === 'all' || covers(held, wanted)) {
		return true;
	}
	const asWritten = spellScope(wanted, spelling);
	return held.some((scope) => spellScope(scope, spelling) === asWritten);
}

/**
 * What a new grant asks for: what reading needs, what is held, and what is wanted now. A new grant replaces the old
 * token everywhere, so whatever is not asked for again would be lost. In the order of the contract.
 */
export function scopeUnion(held: HeldScopes, wanted: readonly Scope[]): readonly Scope[] {
	const union = new Set<Scope>([...readScopes, ...(held === 'all' ? [] : held), ...wanted]);
	return scopes.filter((scope) => union.has(scope));
}

/** All scopes that there are, with the longest prefixes, are a tenth of this. */
const longestScopes = 20_000;

/**
 * Reads the scopes that a server says it granted, separated by commas or blanks. Servers answer with aliases or raw
 * client ids before the name, in any order, and with scopes that are none of ours; names tell the area, so a prefix
 * only counts when it is one that this forge uses for another area. A text that is too long to be scopes grants none.
 */
export function readGrantedScopes(text: string, spelling: ScopeSpelling): HeldScopes {
	const words = text.length > longestScopes ? [] : text.split(/[,\s]+/).filter((word) => word !== '');
	if (words.includes('*')) {
		return 'all';
	}
	return scopes.filter((scope) => words.some((word) => isWrittenAs(scope, word, spelling)));
}

function isWrittenAs(scope: Scope, word: string, spelling: ScopeSpelling): boolean {
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
