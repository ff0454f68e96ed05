import { ForgeError } from '../port/forgeError.ts';
import type { OwnerName } from '../port/user.ts';
import type { Caller } from './caller.ts';

/**
 * Throws for a foreign resource on a route without an owner: the server would take the account's resource of the same
 * name.
 */
export function ownOnly({ me }: Pick<Caller, 'me'>, owner: OwnerName): void {
	if (owner !== me) {
		throw new ForgeError({ kind: 'notAllowed' });
	}
}
