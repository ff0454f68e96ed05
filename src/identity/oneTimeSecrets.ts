import { createHash } from 'node:crypto';
import { secretText, type RandomBytes } from '../base/secretText.ts';

/** What a code grant with PKCE carries (RFC 7636). */
export interface Pkce {
	/** Stays here until the code is redeemed. */
	readonly verifier: string;
	/** Goes on the authorize address, method S256. */
	readonly challenge: string;
}

/** A verifier of 256 bits and its challenge. */
export function createPkce(random: RandomBytes): Pkce {
	const verifier = secretText(random);
	return { verifier, challenge: createHash('sha256').update(verifier, 'ascii').digest('base64url') };
}
