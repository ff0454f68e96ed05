import { readPersonalToken } from '../../answers/personalToken.ts';
import type { BesidesScopes, Problem } from '../../forge/forgeError.ts';
import type { ContentArea, ForgeInstance } from '../../forge/instance.ts';
import { areaOfScope, scopes, type HeldScopes, type Scope } from '../../forge/scope.ts';

/**
 * What each of our scopes needs there (docs/protocol.md#grants-of-fields). Names of people stand in nearly every answer, so
 * nothing can be asked of an area without its `PROFILE`.
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

/** What is asked for with a scope and needed by few of its operations, which a token without it is told by the server. */
const alsoAsked: Partial<Record<Scope, readonly string[]>> = {
	'tickets:read': ['SUBSCRIPTIONS:RO'],
	'tickets:write': ['SUBSCRIPTIONS:RW'],
};

/** What is asked for with a scope and only adds to its answers; a token without it is not asked for that (`DroppableField`). */
const addedTo: Partial<Record<Scope, readonly string[]>> = {
	// What we may do on a list ourselves.
	'lists:read': ['ACLS:RO'],
	'lists:write': ['ACLS:RO'],
	// Mails name the patchset that they belong to.
	'emails:read': ['PATCHES:RO'],
};

const hubService = 'hub.sr.ht';

/** What reading projects needs; without them projects are not there, and nothing else is missing. */
export const projectGrants = ['PROFILE', 'PROJECTS', 'SOURCES', 'TRACKERS', 'LISTS'].map(
	(each) => `${hubService}/${each}:RO`,
);

/** What stands before the slash of an area's grants: the section of the server's own configuration, whatever its host. */
export type ServiceNames = Readonly<Record<ContentArea, string>>;

export function serviceNames({ scopeSpelling: { prefixes } }: Pick<ForgeInstance, 'scopeSpelling'>): ServiceNames {
	const name = (area: ContentArea): string => {
		const given = prefixes[area]?.replace(/\/$/, '') ?? '';
		return given === '' ? `${area}.sr.ht` : given;
	};
	return { todo: name('todo'), lists: name('lists'), git: name('git') };
}

/** What is asked for with a scope, as `todo.sr.ht/TICKETS:RW`. */
export function grantsOf(scope: Scope, services: ServiceNames): readonly string[] {
	return [...usedFor(scope, services), ...inArea(scope, addedTo[scope] ?? [], services)];
}

/** What may be missing where a refusal does not say what is. */
function usedFor(scope: Scope, services: ServiceNames): readonly string[] {
	return [...neededFor(scope, services), ...inArea(scope, alsoAsked[scope] ?? [], services)];
}

/** What a token has to carry to have a scope. */
export function neededFor(scope: Scope, services: ServiceNames): readonly string[] {
	return inArea(scope, names[scope], services);
}

function inArea(scope: Scope, wanted: readonly string[], services: ServiceNames): readonly string[] {
	return wanted.map((name) => `${services[areaOfScope(scope)]}/${name}`);
}

/** All grants that there are, with the longest names, are a tenth of this. */
const longestGrants = 20_000;

/** Reads grants parted by blanks. None at all are all of them; where the access is left out, it is to read. */
export function readGrants(text: string, services: ServiceNames): HeldScopes {
	if (text.length > longestGrants) {
		return [];
	}
	const held = heldIn(text);
	return held.size === 0
		? 'all'
		: scopes.filter((scope) => neededFor(scope, services).every((grant) => held.has(grant)));
}

/** What does not work with these grants although the scopes for it are there. `ofProjects`: what projects need, if there are any. */
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
		// Mails without their patchsets are told by the scope that is missing for these.
		...(lacksOf({ 'lists:read': addedTo['lists:read'] ?? [] }, 'lists') ? (['listRights'] as const) : []),
	];
}

/** Access to write carries the one to read. */
function heldIn(text: string): ReadonlySet<string> {
	return new Set(wordsOf(text).flatMap((word) => (word.endsWith(':RW') ? [word, word.replace(/RW$/, 'RO')] : [word])));
}

/** Single grants, each with the access that it stands for. */
export function wordsOf(text: string): readonly string[] {
	const words = text.split(/\s+/).filter((word) => word !== '');
	return words.map((word) => (/:R[OW]$/.test(word) ? word : `${word}:RO`));
}

/** The scope that a token without this grant does not have; `undefined` for one that no scope needs. */
export function scopeOfGrant(area: ContentArea, grant: string): Scope | undefined {
	const needing = scopes.filter((scope) => areaOfScope(scope) === area && names[scope].includes(grant));
	// Each scope names the thing that it is about first.
	return needing.find((scope) => names[scope][0] === grant) ?? needing[0];
}

/** What is asked for, as far as grants are concerned. */
export interface AskedScope {
	readonly area: ContentArea;
	readonly scope: Scope;
}

/** What is said of a grant that a token does not have. */
export interface MissingGrants {
	/** Of one that the service names, as `TICKETS:RW`. */
	named(grant: string, asked: AskedScope): Problem;
	/** Of what is needed and the token itself says that it does not have; `undefined` where it has all of that. */
	ofToken(token: string, asked: AskedScope): Problem | undefined;
	/** Whether the token itself says that it does not have all of these of an area, as `ACLS:RO`. */
	lacks(token: string, grants: readonly string[], area: ContentArea): boolean;
	/** Of a refusal for want of a grant by a service that does not say of which. */
	unnamed(token: string, asked: AskedScope): Problem | undefined;
}

/** `besides`: who asks needs none of our scopes, but these grants. */
export function missingGrants(services: ServiceNames, besides?: 'projects'): MissingGrants {
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
		named,
		lacks: (token, wanted, area) =>
			wanted.length > 0 &&
			lackingIn(
				token,
				wanted.map((grant) => `${services[area]}/${grant}`),
			) !== undefined,
		ofToken: (token, asked) => firstLacking(token, besides ? projectGrants : neededFor(asked.scope, services), asked),
		unnamed(token, asked) {
			const isUnread = readPersonalToken(token) === undefined;
			return isUnread
				? named(names[asked.scope][0] ?? '', asked)
				: firstLacking(token, besides ? projectGrants : usedFor(asked.scope, services), asked);
		},
	};
}
