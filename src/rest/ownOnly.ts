import { ForgeError } from '../forge/forgeError.ts';
import type { OwnerName } from '../forge/user.ts';
import type { Caller } from './caller.ts';

/**
 * Throws for a thing of somebody else: the contract has paths for changing and removing one's own alone, and one's own of
 * the same name would be meant by them.
 */
export function ownOnly({ me }: Pick<Caller, 'me'>, owner: OwnerName): void {
	if (owner !== me) {
		throw new ForgeError({ kind: 'notAllowed' });
	}
}
