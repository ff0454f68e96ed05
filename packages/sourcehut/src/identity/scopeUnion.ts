import type { ForgeProtocol } from '../port/forgeProtocol.ts';
import { covers, readScopes, scopes, type HeldScopes, type Scope } from '../port/scope.ts';

/**
 * True if a token with `held` permits operations with scope `wanted`: the token has all grants of that scope, perhaps
 * through other scopes.
 */
export function holds(held: HeldScopes, wanted: Scope, { grantsOf }: ForgeProtocol): boolean {
	if (held === 'all' || covers(held, wanted)) {
		return true;
	}
	const grants = new Set(held.flatMap(grantsOf));
	return grantsOf(wanted).every((grant) => grants.has(grant));
}

/**
 * Scopes for a new sign-in: read scopes, held scopes and wanted scopes, in the order of the contract. The new token
 * replaces the old one everywhere, so an omitted scope would be lost.
 */
export function scopeUnion(held: HeldScopes, wanted: readonly Scope[]): readonly Scope[] {
	const union = new Set<Scope>([...readScopes, ...(held === 'all' ? [] : held), ...wanted]);
	return scopes.filter((scope) => union.has(scope));
}

/**
 * Distinct grants for these scopes, plus `besides`. Omits scopes implied by others, because consent pages list every
 * grant.
 */
export function grantsFor(wanted: readonly Scope[], { grantsOf, besides }: ForgeProtocol): readonly string[] {
	const needed = wanted.filter(
		(scope) =>
			!covers(
				wanted.filter((other) => other !== scope),
				scope,
			),
	);
	return [...new Set([...needed.flatMap(grantsOf), ...besides])];
}
