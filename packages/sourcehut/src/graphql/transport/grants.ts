import { readPersonalToken } from '../../answers/personalToken.ts';
import type { BesidesScopes, Problem } from '../../port/forgeError.ts';
import type { ContentArea, ForgeInstance } from '../../port/instance.ts';
import { areaOfScope, scopes, type HeldScopes, type Scope } from '../../port/scope.ts';

/**
 * Grants per scope (docs/protocol.md#grants-of-fields). Nearly every answer names users, so each scope needs `PROFILE`.
 */
const names: Readonly<Record<Scope, readonly string[]>> = {
	'trackers:read': ['TRACKERS:RO', 'PROFILE:RO'],
	'trackers:write': ['TRACKERS:RW', 'PROFILE:RO'],
	'tickets:read': ['TICKETS:RO', 'TRACKERS:RO', 'EVENTS:RO', 'PROFILE:RO'],
	'tickets:write': ['TICKETS:RW', 'TRACKERS:RO', 'EVENTS:RO', 'PROFILE:RO'],
	'lists:read': ['LISTS:RO', 'PROFILE:RO'],
	'lists:write': ['LISTS:RW', 'PROFILE:RO'],
	'emails:read': ['EMAILS:RO', 'LISTS:RO', 'PROFILE:RO'],
	'patches:read': ['PATCHES:RO', 'EMAILS:RO', 'LISTS:RO', 'PROFILE:RO'],
	'patches:write': ['PATCHES:RW', 'EMAILS:RO', 'LISTS:RO', 'PROFILE:RO'],
	'subs:read': ['SUBSCRIPTIONS:RO', 'LISTS:RO', 'PROFILE:RO'],
	'subs:write': ['SUBSCRIPTIONS:RW', 'LISTS:RO', 'PROFILE:RO'],
	'info:read': ['REPOSITORIES:RO', 'PROFILE:RO'],
	'info:write': ['REPOSITORIES:RW', 'PROFILE:RO'],
	'data:read': ['OBJECTS:RO', 'REPOSITORIES:RO', 'PROFILE:RO'],
};

/** Grants that only a few operations of the scope need. Without one, the server rejects these operations. */
const alsoAsked: Partial<Record<Scope, readonly string[]>> = {
	'tickets:read': ['SUBSCRIPTIONS:RO'],
	'tickets:write': ['SUBSCRIPTIONS:RW'],
};

/** Grants for optional fields. Without one, the query omits the fields (`DroppableField`). */
const addedTo: Partial<Record<Scope, readonly string[]>> = {
	// The account's own permissions on a list.
	'lists:read': ['ACLS:RO'],
	'lists:write': ['ACLS:RO'],
	// A mail's patchset.
	'emails:read': ['PATCHES:RO'],
};

const hubService = 'hub.sr.ht';

/** Grants for projects. Without them the extension shows no projects; nothing else depends on them. */
export const projectGrants = ['PROFILE', 'PROJECTS', 'SOURCES', 'TRACKERS', 'LISTS'].map(
	(each) => `${hubService}/${each}:RO`,
);

/** Grant prefix per area: the section name in the server's configuration, independent of its host. */
export type ServiceNames = Readonly<Record<ContentArea, string>>;

export function serviceNames({ scopeSpelling: { prefixes } }: Pick<ForgeInstance, 'scopeSpelling'>): ServiceNames {
	const name = (area: ContentArea): string => {
		const given = prefixes[area]?.replace(/\/$/, '') ?? '';
		return given === '' ? `${area}.sr.ht` : given;
	};
	return { todo: name('todo'), lists: name('lists'), git: name('git') };
}

/** All grants to request for a scope, such as `todo.sr.ht/TICKETS:RW`. */
export function grantsOf(scope: Scope, services: ServiceNames): readonly string[] {
	return [...usedFor(scope, services), ...inArea(scope, addedTo[scope] ?? [], services)];
}

/** Grants that may be missing if an error names none. */
function usedFor(scope: Scope, services: ServiceNames): readonly string[] {
	return [...neededFor(scope, services), ...inArea(scope, alsoAsked[scope] ?? [], services)];
}

/** Grants that a token must have for a scope. */
export function neededFor(scope: Scope, services: ServiceNames): readonly string[] {
	return inArea(scope, names[scope], services);
}

function inArea(scope: Scope, wanted: readonly string[], services: ServiceNames): readonly string[] {
	return wanted.map((name) => `${services[areaOfScope(scope)]}/${name}`);
}

/** Ten times the length of all grants with the longest names. */
const longestGrants = 20_000;

/** Parses grants separated by spaces. No grants at all mean all grants; a grant without access means read-only. */
export function readGrants(text: string, services: ServiceNames): HeldScopes {
	if (text.length > longestGrants) {
		return [];
	}
	const held = heldIn(text);
	return held.size === 0
		? 'all'
		: scopes.filter((scope) => neededFor(scope, services).every((grant) => held.has(grant)));
}

/**
 * Features that lack a grant although the token has their scopes. `ofProjects`: the grants for projects, empty if the
 * forge has none.
 */
export function lackingBesides(
	text: string,
	services: ServiceNames,
	ofProjects: readonly string[],
): readonly BesidesScopes[] {
	const granted = heldIn(text);
	const held = readGrants(text, services);
	if (held === 'all') {
		return [];
	}
	const lacksOf = (extras: Partial<Record<Scope, readonly string[]>>, area: ContentArea): boolean =>
		held.some(
			(scope) =>
				areaOfScope(scope) === area &&
				inArea(scope, extras[scope] ?? [], services).some((grant) => !granted.has(grant)),
		);
	return [
		...(ofProjects.some((grant) => !granted.has(grant)) ? (['projects'] as const) : []),
		...(lacksOf(alsoAsked, 'todo') ? (['ticketSubscriptions'] as const) : []),
		// The missing patches scope already reports mails without their patchsets.
		...(lacksOf({ 'lists:read': addedTo['lists:read'] ?? [] }, 'lists') ? (['listRights'] as const) : []),
	];
}

/** Write access includes read access. */
function heldIn(text: string): ReadonlySet<string> {
	return new Set(wordsOf(text).flatMap((word) => (word.endsWith(':RW') ? [word, word.replace(/RW$/, 'RO')] : [word])));
}

/** Single grants with explicit access. */
export function wordsOf(text: string): readonly string[] {
	const words = text.split(/\s+/).filter((word) => word !== '');
	return words.map((word) => (/:R[OW]$/.test(word) ? word : `${word}:RO`));
}

/** The scope that needs this grant; `undefined` if no scope does. */
export function scopeOfGrant(area: ContentArea, grant: string): Scope | undefined {
	const needing = scopes.filter((scope) => areaOfScope(scope) === area && names[scope].includes(grant));
	// The first grant of a scope is its main one.
	return needing.find((scope) => names[scope][0] === grant) ?? needing[0];
}

/** The area and scope of an operation. */
export interface AskedScope {
	readonly area: ContentArea;
	readonly scope: Scope;
}

/** Builds the problem for a missing grant. */
export type MissingGrants = ReturnType<typeof missingGrants>;

/** `besides`: the caller needs the grants for projects, and no scope. */
export function missingGrants(services: ServiceNames, besides?: 'projects') {
	function named(grant: string, { area, scope }: AskedScope): Problem {
		if (besides) {
			return { kind: 'missingScope', scope: undefined, asWritten: `${hubService}/${grant}`, besides };
		}
		const lacking = names[scope].includes(grant) ? scope : scopeOfGrant(area, grant);
		const isOfSubscriptions = lacking === undefined && grant.startsWith('SUBSCRIPTIONS:');
		return {
			kind: 'missingScope',
			scope: lacking,
			asWritten: `${services[area]}/${grant}`,
			...(isOfSubscriptions ? { besides: 'ticketSubscriptions' } : {}),
		};
	}

	function lackingIn(token: string, needed: readonly string[]): string | undefined {
		const held = heldIn(readPersonalToken(token)?.grants ?? '');
		return held.size === 0 ? undefined : needed.find((grant) => !held.has(grant));
	}

	function firstLacking(token: string, needed: readonly string[], asked: AskedScope): Problem | undefined {
		const lacking = lackingIn(token, needed);
		return lacking === undefined ? undefined : named(lacking.slice(lacking.lastIndexOf('/') + 1), asked);
	}

	return {
		/** For a grant that the server names, such as `TICKETS:RW`. */
		named,
		/** True if the token itself lacks one of these grants of an area, such as `ACLS:RO`. */
		lacks: (token: string, wanted: readonly string[], area: ContentArea) =>
			wanted.length > 0 &&
			lackingIn(
				token,
				wanted.map((grant) => `${services[area]}/${grant}`),
			) !== undefined,
		/** For the first needed grant that the token itself lacks; `undefined` if it lacks none. */
		ofToken: (token: string, asked: AskedScope) =>
			firstLacking(token, besides ? projectGrants : neededFor(asked.scope, services), asked),
		/** For a rejection that names no grant. */
		unnamed(token: string, asked: AskedScope) {
			const isUnread = readPersonalToken(token) === undefined;
			return isUnread
				? named(names[asked.scope][0] ?? '', asked)
				: firstLacking(token, besides ? projectGrants : usedFor(asked.scope, services), asked);
		},
	};
}
