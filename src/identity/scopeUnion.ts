import type { ForgeProtocol } from '../forge/forgeProtocol.ts';
import { covers, readScopes, scopes, type HeldScopes, type Scope } from '../forge/scope.ts';

/** True when a token with `held` may use what needs `wanted`: all that the forge wants for it was granted, as that or as something else. */
export function holds(held: HeldScopes, wanted: Scope, { grantsOf }: Pick<ForgeProtocol, 'grantsOf'>): boolean {
	if (held === 'all' || covers(held, wanted)) {
		return true;
	}
	const grants = new Set(held.flatMap(grantsOf));
	return grantsOf(wanted).every((grant) => grants.has(grant));
}

/**
 * What a new grant asks for: what reading needs, what is held, and what is wanted now. A new grant replaces the old
 * token everywhere, so whatever is not asked for again would be lost. In the order of the contract.
 */
export function scopeUnion(held: HeldScopes, wanted: readonly Scope[]): readonly Scope[] {
	const union = new Set<Scope>([...readScopes, ...(held === 'all' ? [] : held), ...wanted]);
	return scopes.filter((scope) => union.has(scope));
}

/** The grants for these scopes and what is asked for besides, each once, and none that only a scope needs which another one implies: consent pages show each. */
export function grantsFor(
	wanted: readonly Scope[],
	{ grantsOf, besides }: Pick<ForgeProtocol, 'grantsOf' | 'besides'>,
): readonly string[] {
	const isImplied = (scope: Scope): boolean =>
		covers(
			wanted.filter((other) => other !== scope),
			scope,
		);
	return [
		...new Set(
			wanted
				.filter((scope) => !isImplied(scope))
				.flatMap(grantsOf)
				.concat(besides),
		),
	];
}
