import type { ContentArea, ForgeInstance } from '../../forge/instance.ts';
import { areaOfScope, scopes, type HeldScopes, type Scope } from '../../forge/scope.ts';

/**
 * What each of our scopes needs there (docs/protocol.md#grants-of-fields). Names of people stand in nearly every answer, so
 * nothing can be asked of an area without its `PROFILE`.
 */
const names: Readonly<Record<Scope, readonly string[]>> = {
	'trackers:read': ['TRACKERS:RO', 'PROFILE:RO'],
	'trackers:write': ['TRACKERS:RW', 'PROFILE:RO'],
	'tickets:read': ['TICKETS:RO', 'TRACKERS:RO', 'EVENTS:RO', 'SUBSCRIPTIONS:RO', 'PROFILE:RO'],
	'tickets:write': ['TICKETS:RW', 'TRACKERS:RO', 'EVENTS:RO', 'SUBSCRIPTIONS:RW', 'PROFILE:RO'],
	'lists:read': ['LISTS:RO', 'ACLS:RO', 'PROFILE:RO'],
	'lists:write': ['LISTS:RW', 'ACLS:RO', 'PROFILE:RO'],
	// Mails name the patchset that they belong to.
	'emails:read': ['EMAILS:RO', 'PATCHES:RO', 'LISTS:RO', 'PROFILE:RO'],
	'patches:read': ['PATCHES:RO', 'EMAILS:RO', 'LISTS:RO', 'PROFILE:RO'],
	'patches:write': ['PATCHES:RW', 'EMAILS:RO', 'LISTS:RO', 'PROFILE:RO'],
	'subs:read': ['SUBSCRIPTIONS:RO', 'LISTS:RO', 'PROFILE:RO'],
	'subs:write': ['SUBSCRIPTIONS:RW', 'LISTS:RO', 'PROFILE:RO'],
	'info:read': ['REPOSITORIES:RO', 'PROFILE:RO'],
	'info:write': ['REPOSITORIES:RW', 'PROFILE:RO'],
	'data:read': ['OBJECTS:RO', 'REPOSITORIES:RO', 'PROFILE:RO'],
};

/** What stands before the slash of an area's grants: the section of the server's own configuration, whatever its host. */
export type ServiceNames = Readonly<Record<ContentArea, string>>;

export function serviceNames({ scopeSpelling: { prefixes } }: Pick<ForgeInstance, 'scopeSpelling'>): ServiceNames {
	const name = (area: ContentArea): string => {
		const given = prefixes[area]?.replace(/\/$/, '') ?? '';
		return given === '' ? `${area}.sr.ht` : given;
	};
	return { todo: name('todo'), lists: name('lists'), git: name('git') };
}

/** As `todo.sr.ht/TICKETS:RW`. */
export function grantsOf(scope: Scope, services: ServiceNames): readonly string[] {
	return names[scope].map((name) => `${services[areaOfScope(scope)]}/${name}`);
}

/** All grants that there are, with the longest names, are a tenth of this. */
const longestGrants = 20_000;

/** Reads grants parted by blanks. None at all are all of them; where the access is left out, it is to read. */
export function readGrants(text: string, services: ServiceNames): HeldScopes {
	if (text.length > longestGrants) {
		return [];
	}
	const held = new Set(
		wordsOf(text).flatMap((word) => (word.endsWith(':RW') ? [word, word.replace(/RW$/, 'RO')] : [word])),
	);
	return held.size === 0
		? 'all'
		: scopes.filter((scope) => grantsOf(scope, services).every((grant) => held.has(grant)));
}

/** Single grants, each with the access that it stands for. */
export function wordsOf(text: string): readonly string[] {
	const words = text.split(/\s+/).filter((word) => word !== '');
	return words.map((word) => (/:R[OW]$/.test(word) ? word : `${word}:RO`));
}

/** The scope that a grant is asked for with; `undefined` for one of which we know nothing. */
export function scopeOfGrant(area: ContentArea, grant: string): Scope | undefined {
	const needing = scopes.filter((scope) => areaOfScope(scope) === area && names[scope].includes(grant));
	// Each scope names the thing that it is about first.
	return needing.find((scope) => names[scope][0] === grant) ?? needing[0];
}
