import stored from '../sampleData/scopes.json' with { type: 'json' };
import type { AreaName, Grant, Scope, ServiceName, Dialect } from '../shared/area.ts';
import { check } from '../shared/checks.ts';

/** How the identity service knows an area: raw client id and alias in scopes (docs/protocol.md#scope-spelling). */
const services: Readonly<Record<ServiceName, { readonly clientId: string; readonly alias: string }>> = stored.services;

export interface ScopeEntry {
	readonly area: ServiceName;
	readonly name: string;
	readonly writable: boolean;
	readonly says: string;
}

interface StoredScope {
	readonly area: string;
	readonly name: string;
	readonly says: string;
	readonly isReadOnly?: boolean | undefined;
}

function readEntry({ area, name, says, isReadOnly = false }: StoredScope): ScopeEntry {
	check(isService(area), () => new Error(`The scope ${name} has no service ${area}`));
	return { area, name, says, writable: !isReadOnly };
}

function isService(area: string): area is ServiceName {
	return Object.hasOwn(services, area);
}

/** The document says "emails"; the services of the field registered "email". */
const fieldScopes = stored.field.map(readEntry);
const documentScopes = stored.document.map(readEntry);

/** GraphQL scopes in each service's order (docs/protocol.md#grant-tokens). */
const grantScopes = stored.graphql
	.map(readEntry)
	.map((known) => ({ ...known, name: `${services[known.area].alias}/${known.name}` }));

export function knownScopes(dialect: Dialect): readonly ScopeEntry[] {
	if (dialect.graphql !== null) {
		return grantScopes;
	}
	return dialect.exchangeFlow ? fieldScopes : documentScopes;
}

/** The area that a scope of the contract belongs to. */
function areaOfScope(scope: Scope): ServiceName {
	const [name] = splitScope(scope);
	const known = [...fieldScopes, ...documentScopes].find((candidate) => candidate.name === name);
	return known?.area ?? 'meta';
}

export function splitScope(scope: Scope): readonly [name: string, access: 'read' | 'write'] {
	const at = scope.lastIndexOf(':');
	return [scope.slice(0, at), scope.endsWith(':write') ? 'write' : 'read'];
}

/** `aaaa000000000003/trackers:write` in the field, with the identity's own scopes bare; `trackers:write` by the document. */
export function spellScope(dialect: Dialect, scope: Scope): string {
	if (dialect.graphql !== null) {
		const [name, access] = splitScope(scope);
		return `${name}:${access === 'write' ? 'RW' : 'RO'}`;
	}
	const area = areaOfScope(scope);
	return dialect.exchangeFlow && area !== 'meta' ? `${services[area].clientId}/${scope}` : scope;
}

/** All that a token holds as one text; in GraphQL an empty one is everything. */
export function spellScopes(dialect: Dialect, held: Grant['scopes']): string {
	if (held === '*') {
		return dialect.graphql === null ? '*' : '';
	}
	return held.map((scope) => spellScope(dialect, scope)).join(dialect.exchangeFlow ? ',' : ' ');
}

/** Does a grant with these scopes reach a route that needs `needed`? */
export function permits(dialect: Dialect, held: '*' | readonly Scope[], needed: Scope): boolean {
	if (held === '*') {
		return true;
	}
	const [name, access] = splitScope(needed);
	if (access === 'read' && dialect.readScopesUnchecked) {
		return held.length > 0;
	}
	return held.some((scope) => scope === `${name}:write` || scope === needed);
}

/** A scope request, or its refusal in the server's words (docs/protocol.md#sign-in-refusals). */
export type ScopeWish = { readonly scopes: readonly Scope[] } | { readonly details: string };

/** Reads the `scopes` parameter: comma-separated in the field, separated by spaces (or commas) otherwise. */
export function readScopes(dialect: Dialect, text: string): ScopeWish {
	const words = text.split(dialect.exchangeFlow ? ',' : /[ ,]+/).map((word) => word.trim());
	const scopes = new Set<Scope>();
	for (const word of words.filter((candidate) => candidate !== '')) {
		const read = readScope(dialect, word);
		if (typeof read !== 'string' || !isScope(read)) {
			return { details: typeof read === 'string' ? read : read.details };
		}
		scopes.add(read);
	}
	return { scopes: [...scopes] };
}

function readScope(dialect: Dialect, word: string): string | { readonly details: string } {
	if (dialect.graphql !== null) {
		return readGrant(word);
	}
	const parts = /^(?:([^/:]+)\/)?([^/:]+)(?::([^/:]+))?$/.exec(word);
	if (parts === null) {
		return { details: 'Invalid OAuth scope syntax' };
	}
	const [, service, name = '', access = 'read'] = parts;
	if (access !== 'read' && access !== 'write') {
		return { details: `Invalid scope access ${access}` };
	}
	const known = findScope(dialect, service, name);
	if (known === 'service') {
		return { details: `Unknown client ID ${service ?? ''}` };
	}
	if (known === undefined) {
		return { details: `Invalid scope ${name}` };
	}
	return access === 'write' && !known.writable
		? { details: `Write access not permitted for ${name}` }
		: `${name}:${access}`;
}

function readGrant(word: string): string | { readonly details: string } {
	const [, name, kind = 'RO'] = /^([^:]+)(?::(RO|RW))?$/.exec(word) ?? [];
	return grantScopes.some((known) => known.name === name)
		? `${name}:${kind === 'RW' ? 'write' : 'read'}`
		: { details: `Invalid grant ${word}` };
}

function findScope(dialect: Dialect, service: string | undefined, name: string): ScopeEntry | 'service' | undefined {
	if (!dialect.exchangeFlow) {
		// The document spells scopes without a service: a prefix makes the name unknown.
		return service === undefined ? knownScopes(dialect).find((scope) => scope.name === name) : undefined;
	}
	const area = service === undefined ? 'meta' : areaOfService(service);
	return area === undefined
		? 'service'
		: knownScopes(dialect).find((scope) => scope.area === area && scope.name === name);
}

function areaOfService(service: string): AreaName | undefined {
	const names: readonly AreaName[] = ['meta', 'todo', 'git', 'lists'];
	return names.find((area) => services[area].alias === service || services[area].clientId === service);
}

function isScope(text: string): text is Scope {
	return text.endsWith(':read') || text.endsWith(':write');
}
