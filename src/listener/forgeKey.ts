import { createPublicKey, verify, type KeyObject } from 'node:crypto';

/** A forge's public key, of which others only know that they have it. */
export type ForgeKey = KeyObject;

/** What is wrong with a text that should be a forge's public key. */
export type KeyFault = 'notBase64' | 'not32Bytes';

/** What reading a key comes to. */
export type KeyReading =
	| { readonly kind: 'key'; readonly key: ForgeKey }
	| { readonly kind: 'wrong'; readonly fault: KeyFault };

/** What the DER form of a public key of Ed25519 has before its 32 bytes (RFC 8410). */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Reads the public key of a forge as its operator writes it: 32 raw bytes in base64 (docs/protocol.md#deliveries). */
export function readForgeKey(text: string): KeyReading {
	const raw = bytesOf(text.trim());
	if (raw === undefined) {
		return { kind: 'wrong', fault: 'notBase64' };
	}
	if (raw.byteLength !== 32) {
		return { kind: 'wrong', fault: 'not32Bytes' };
	}
	const key = createPublicKey({ key: Buffer.concat([derPrefix, raw]), format: 'der', type: 'spki' });
	return { kind: 'key', key };
}

/** What a delivery brings to prove where it is from. */
export interface Proof {
	readonly nonce: string;
	/** 64 bytes in base64. */
	readonly signature: string;
}

/**
 * True when the key signed this body with this nonce. Nothing stands between body and nonce in what is signed, so the
 * nonce has to have the one length that there is: a longer or shorter one would make another body of the same signature.
 */
export function isSignedBy(key: ForgeKey, body: Uint8Array, { nonce, signature }: Proof): boolean {
	const signed = bytesOf(signature);
	return (
		/^[0-9a-f]{16}$/.test(nonce) &&
		signed?.byteLength === 64 &&
		verify(null, Buffer.concat([body, Buffer.from(nonce, 'ascii')]), key, signed)
	);
}

/** Of base64 in its one proper form; other forms of the same bytes are refused, or a signature would have several. */
function bytesOf(text: string): Buffer | undefined {
	const bytes = Buffer.from(text, 'base64');
	return bytes.toString('base64') === text ? bytes : undefined;
}
