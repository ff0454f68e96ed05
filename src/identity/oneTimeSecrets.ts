import { createHash } from 'node:crypto';

/** Random bytes as an argument, so that tests can foresee them. */
export type RandomBytes = (size: number) => Uint8Array;

/** What a code grant with PKCE carries (RFC 7636). */
export interface Pkce {
	/** Stays here until the code is redeemed. */
	readonly verifier: string;
	/** Goes on the authorize address, method S256. */
	readonly challenge: string;
}

/** A state of 256 bits. URL-safe letters only: some editors turn a plus sign of an address into a space. */
export function createState(random: RandomBytes): string {
	return Buffer.from(random(32)).toString('base64url');
}

/** A verifier of 256 bits and its challenge. */
export function createPkce(random: RandomBytes): Pkce {
	const verifier = Buffer.from(random(32)).toString('base64url');
	return { verifier, challenge: createHash('sha256').update(verifier, 'ascii').digest('base64url') };
}
