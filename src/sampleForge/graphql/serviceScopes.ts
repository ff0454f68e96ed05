import { knownScopes } from '../identity/scopes.ts';
import type { ServiceName, Scope } from '../shared/area.ts';
import { graphqlDialect } from '../shared/dialect.ts';

/** Scopes of a service in the spelling of tokens: alias, slash, word. Equal in 2023 and 2026. */
function namesOf(area: ServiceName): readonly string[] {
	return knownScopes(graphqlDialect('2026')).flatMap((known) => (known.area === area ? [known.name] : []));
}

/** A service's own scopes, without its alias. */
export function scopesOfService(area: ServiceName): readonly string[] {
	return namesOf(area).map((name) => name.slice(name.indexOf('/') + 1));
}

/** The scope for a field of a GraphQL service. */
export function scopeOfService(area: ServiceName, word: string, kind: 'RO' | 'RW'): Scope {
	const name = namesOf(area).find((each) => each.endsWith(`/${word}`));
	if (name === undefined) {
		throw new Error(`The service ${area} has no scope ${word}`);
	}
	return `${name}:${kind === 'RW' ? 'write' : 'read'}`;
}
