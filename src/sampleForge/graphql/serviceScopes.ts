import { knownScopes } from '../identity/scopes.ts';
import type { ServiceName, Scope } from '../shared/area.ts';
import { graphqlDialect } from '../shared/dialect.ts';

/** Scopes of a service as tokens have them: its alias, a slash and the word. They are the same in every year. */
function namesOf(area: ServiceName): readonly string[] {
	return knownScopes(graphqlDialect('2026')).flatMap((known) => (known.area === area ? [known.name] : []));
}

/** The words that a GraphQL service has for its own scopes, without its name. */
export function scopesOfService(area: ServiceName): readonly string[] {
	return namesOf(area).map((name) => name.slice(name.indexOf('/') + 1));
}

/** The scope that a field of a GraphQL service needs. */
export function scopeOfService(area: ServiceName, word: string, kind: 'RO' | 'RW'): Scope {
	const name = namesOf(area).find((each) => each.endsWith(`/${word}`));
	if (name === undefined) {
		throw new Error(`The service ${area} has no scope ${word}`);
	}
	return `${name}:${kind === 'RW' ? 'write' : 'read'}`;
}
