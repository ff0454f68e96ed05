import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Signs deliveries: Ed25519 over the exact body bytes followed by the nonce as ASCII (docs/protocol.md#deliveries). */
export type Signer = ReturnType<typeof createSigner>;

/** A new key for every process: nothing that ends up in a repository can sign for anybody. */
export function createSigner() {
	const { publicKey, privateKey } = generateKeyPairSync('ed25519');
	// The last 32 bytes of the SPKI form are the key itself.
	const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
	return {
		/** The raw 32 bytes of the public key, base64. */
		publicKey: raw.toString('base64'),
		sign(body: string): { readonly nonce: string; readonly signature: string } {
			const nonce = randomBytes(8).toString('hex');
			const signature = sign(null, Buffer.from(body + nonce, 'utf8'), privateKey).toString('base64');
			return { nonce, signature };
		},
	};
}
