import type { ContentArea } from './instance.ts';

/**
 * All scopes of the contract (docs/protocol.md#scopes), plus `patches:write`, which servers require although the
 * contract lacks it.
 */
export const scopes = [
	'emails:read',
	'lists:read',
	'lists:write',
	'patches:read',
	'patches:write',
	'subs:read',
	'subs:write',
	'info:read',
	'info:write',
	'data:read',
	'trackers:read',
	'trackers:write',
	'tickets:read',
	'tickets:write',
] as const;

/** A permission in the contract's spelling. */
export type Scope = (typeof scopes)[number];

/** Permissions of a token: its granted scopes, or everything (personal tokens). */
export type HeldScopes = 'all' | readonly Scope[];

/** Scopes requested at sign-in: everything that reading needs. */
export const readScopes: readonly Scope[] = scopes.filter((scope) => scope.endsWith(':read'));

export function areaOfScope(scope: Scope): ContentArea {
	switch (scope) {
		case 'emails:read':
		case 'lists:read':
		case 'lists:write':
		case 'patches:read':
		case 'patches:write':
		case 'subs:read':
		case 'subs:write':
			return 'lists';
		case 'info:read':
		case 'info:write':
		case 'data:read':
			return 'git';
		case 'trackers:read':
		case 'trackers:write':
		case 'tickets:read':
		case 'tickets:write':
			return 'todo';
	}
}

/** True if `held` includes `wanted`; write access implies read access. */
export function covers(held: readonly Scope[], wanted: Scope): boolean {
	return held.includes(wanted) || held.some((scope) => scope === wanted.replace(/:read$/, ':write'));
}
