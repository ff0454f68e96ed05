import { parse, print, visit } from 'graphql';
import { knownScopes } from '../identity/scopes.ts';
import { readData } from '../sampleData.ts';
import type { Scope, ServiceName } from '../shared/area.ts';
import { type GraphqlAge, graphqlDialect } from '../shared/dialect.ts';

/**
 * The schema of a service, from `sampleData/schemas`. There, `@only2023` and `@only2026` mark what services of that year
 * alone have, and `@access` names the grant of a field (docs/protocol.md#grants-of-fields).
 */
export function schemaText(area: ServiceName, age: GraphqlAge): string {
	const hasWebhooks = area === 'todo' || area === 'lists' || area === 'git';
	const names = ['common', area, ...(hasWebhooks ? ['webhooks'] : [])];
	const texts = names.map((name) => readData(`schemas/${name}.graphql`));
	const other = age === '2026' ? 'only2023' : 'only2026';
	const ofAge = visit(parse(`enum AccessScope { ${scopesOfService(area).join(' ')} }\n${texts.join('\n')}`), {
		enter: (node) =>
			'directives' in node && node.directives?.some(({ name }) => name.value === other) === true ? null : undefined,
		Directive: ({ name }) => (name.value.startsWith('only') ? null : undefined),
	});
	return print(ofAge);
}

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
