import type { Dialect } from '../../support/sampleForge.ts';

/** What the page of a commit that is signed says of that before anybody has looked at the signature. */
export function signatureIn(dialect: Dialect): string {
	return dialect === 'graphql' ? 'signature unknown' : 'signed, not verified';
}
