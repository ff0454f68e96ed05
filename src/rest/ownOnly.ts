import { ForgeError } from '../forge/forgeError.ts';
import type { OwnerName } from '../forge/user.ts';
import type { Caller } from './caller.ts';

/**
 * Throws for a thing of somebody else where the contract has a path for one's own alone: one's own of the same name would
 * be meant by it.
 */
export function ownOnly({ me }: Pick<Caller, 'me'>, owner: OwnerName): void {
	if (owner !== me) {
		throw new ForgeError({ kind: 'notAllowed' });
	}
}
