import { decodedPart } from '../base/decodedPart.ts';

/** What the user's own keys make of a signature. `signer` and `key` are texts of keys, and may hold anything. */
export type SignatureFinding =
	/** Nothing can be said: a program or a proof is missing, or the key or signature is past its time. */
	| { readonly kind: 'notVerified' }
	/** By a key that the user trusts. */
	| { readonly kind: 'good'; readonly signer: string; readonly key: string }
	| { readonly kind: 'bad' }
	/** By a key that the user does not have, or has and does not trust. */
	| { readonly kind: 'unknownKey'; readonly key: string | undefined };

/** Of these gpg writes one for each signature. */
const outcomes = /^(?:GOODSIG|EXPSIG|EXPKEYSIG|REVKEYSIG|BADSIG|ERRSIG)$/;

/**
 * Reads what `gpg --status-fd` writes. Good is nothing but one signature, whole and in time, by a key that the keyring of
 * the user holds for valid.
 */
export function readGpgStatus(output: string): SignatureFinding {
	const lines = output
		.split('\n')
		.map((line) => /^\[GNUPG:\] (\S+)(?: ([^\r]*))?$/.exec(line.replace(/\r$/, '')))
		.flatMap((found) => (found ? [{ word: found[1] ?? '', rest: found[2] ?? '' }] : []));
	const [outcome, ...more] = lines.filter(({ word }) => outcomes.test(word));
	const restOf = (word: string): string | undefined => lines.find((line) => line.word === word)?.rest;
	// A text that comes with its own content was not held against ours.
	if (!outcome || more.length > 0 || restOf('PLAINTEXT') !== undefined) {
		return { kind: 'notVerified' };
	}
	const [keyId = '', ...signer] = outcome.rest.split(' ');
	switch (outcome.word) {
		case 'BADSIG':
			return { kind: 'bad' };
		case 'ERRSIG':
			return restOf('NO_PUBKEY') === undefined ? { kind: 'notVerified' } : { kind: 'unknownKey', key: keyId };
		case 'GOODSIG': {
			const valid = restOf('VALIDSIG')?.split(' ');
			const isTrusted = restOf('TRUST_FULLY') !== undefined || restOf('TRUST_ULTIMATE') !== undefined;
			return valid ? whole(signer.join(' '), valid[9] ?? valid[0] ?? keyId, isTrusted) : { kind: 'notVerified' };
		}
		default:
			return { kind: 'notVerified' };
	}
}

function whole(signer: string, key: string, isTrusted: boolean): SignatureFinding {
	return isTrusted ? { kind: 'good', signer: decodedPart(signer) ?? signer, key } : { kind: 'unknownKey', key };
}
