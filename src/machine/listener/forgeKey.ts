import { createPublicKey, verify, type KeyObject } from 'node:crypto';

/** A forge's public key, opaque to callers. */
export type ForgeKey = KeyObject;

/** DER prefix of an Ed25519 public key (RFC 8410). */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Parses a forge's public key: 32 raw bytes in base64 (docs/protocol.md#deliveries). `undefined` for anything else. */
export function readForgeKey(text: string): ForgeKey | undefined {
	const raw = bytesOf(text.trim());
	return raw?.byteLength === 32
		? createPublicKey({ key: Buffer.concat([derPrefix, raw]), format: 'der', type: 'spki' })
		: undefined;
}

/** Proof of a delivery's origin. */
export interface Proof {
	readonly nonce: string;
	/** 64 bytes in base64. */
	readonly signature: string;
}

/**
 * True if the key signed this body and nonce. The signed text has no separator between the two, so only the fixed length
 * of the nonce prevents another split of the same text.
 */
export function isSignedBy(key: ForgeKey, body: Uint8Array, { nonce, signature }: Proof): boolean {
	const signed = bytesOf(signature);
	return (
		/^[0-9a-f]{16}$/.test(nonce) &&
		signed?.byteLength === 64 &&
		verify(null, Buffer.concat([body, Buffer.from(nonce, 'ascii')]), key, signed)
	);
}

/** Accepts canonical base64 only: otherwise one signature would have several forms. */
function bytesOf(text: string): Buffer | undefined {
	const bytes = Buffer.from(text, 'base64');
	return bytes.toString('base64') === text ? bytes : undefined;
}
