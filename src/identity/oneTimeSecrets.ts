import { createHash } from 'node:crypto';
import { secretText, type RandomBytes } from '../base/secretText.ts';

/** Secrets of a code grant with PKCE (RFC 7636). */
export interface Pkce {
	/** Stays local until the client redeems the code. */
	readonly verifier: string;
	/** Part of the authorize address, method S256. */
	readonly challenge: string;
}

export function createPkce(random: RandomBytes): Pkce {
	const verifier = secretText(random);
	return { verifier, challenge: createHash('sha256').update(verifier, 'ascii').digest('base64url') };
}
