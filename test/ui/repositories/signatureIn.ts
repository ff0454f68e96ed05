import type { Dialect } from '../../support/sampleForge.ts';

/** The text of a signed commit's page before the signature check. */
export function signatureIn(dialect: Dialect): string {
	return dialect === 'graphql' ? 'signature unknown' : 'signed, not verified';
}
