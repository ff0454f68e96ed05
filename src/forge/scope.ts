import type { ContentArea } from './instance.ts';

/**
 * Every scope of the contract (docs/protocol.md#scopes), and `patches:write`, which servers ask for though it is not
 * there.
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

/** A permission that a token carries, in the contract's spelling. */
export type Scope = (typeof scopes)[number];

/** What a token may do: the scopes that were granted, or everything (personal tokens). */
export type HeldScopes = 'all' | readonly Scope[];

/** What reading everything needs: asked for at sign-in, and nothing more. */
export const readScopes: readonly Scope[] = scopes.filter((scope) => scope.endsWith(':read'));

/** The area that a scope belongs to. */
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

/** True when a token with `held` may use what needs `wanted`: write access implies read access. */
export function covers(held: readonly Scope[], wanted: Scope): boolean {
	return held.includes(wanted) || held.some((scope) => scope === wanted.replace(/:read$/, ':write'));
}
