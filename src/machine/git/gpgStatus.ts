import { decodedPart } from '../../base/decodedPart.ts';

/** Result of verifying with the user's keys. `signer` and `key` are untrusted texts. */
export type SignatureFinding =
	/** Unknown: a program or proof is missing, or the key or signature has expired. */
	| { readonly kind: 'notVerified' }
	/** Signed with a trusted key. */
	| { readonly kind: 'good'; readonly signer: string; readonly key: string }
	| { readonly kind: 'bad' }
	/** Signed with a missing or untrusted key. */
	| { readonly kind: 'unknownKey'; readonly key: string | undefined };

/** Gpg writes one per signature. */
const outcomes = /^(?:GOODSIG|EXPSIG|EXPKEYSIG|REVKEYSIG|BADSIG|ERRSIG)$/;

/** Parses `gpg --status-fd`. Good means exactly one valid, unexpired signature with a key that the keyring trusts. */
export function readGpgStatus(output: string): SignatureFinding {
	const lines = output
		.split('\n')
		.map((line) => /^\[GNUPG:\] (\S+)(?: ([^\r]*))?$/.exec(line.replace(/\r$/, '')))
		.flatMap((found) => (found ? [{ word: found[1] ?? '', rest: found[2] ?? '' }] : []));
	const [outcome, ...more] = lines.filter(({ word }) => outcomes.test(word));
	const restOf = (word: string): string | undefined => lines.find((line) => line.word === word)?.rest;
	// With embedded text, gpg did not verify our text.
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
