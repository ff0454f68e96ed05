import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { FieldError } from './engine.ts';

/** Encrypts opaque cursors like Fernet, with keys for one life of the world. */
export function createSealedText(nowMs: () => number) {
	const signKey = randomBytes(16);
	const cipherKey = randomBytes(16);
	const proofOf = (said: Uint8Array): Buffer => createHmac('sha256', signKey).update(said).digest();
	return {
		seal: (text: string): string => {
			const head = Buffer.alloc(9, 0x80);
			head.writeBigInt64BE(BigInt(Math.floor(nowMs() / 1000)), 1);
			const start = randomBytes(16);
			const cipher = createCipheriv('aes-128-cbc', cipherKey, start);
			const said = Buffer.concat([head, start, cipher.update(text, 'utf8'), cipher.final()]);
			return Buffer.concat([said, proofOf(said)]).toString('base64url');
		},
		/** Throws the field's error. */
		open: (sealed: string): string => {
			const bytes = Buffer.from(sealed, 'base64url');
			const said = bytes.subarray(0, -32);
			if (said.length < 41 || !proofOf(said).equals(bytes.subarray(-32))) {
				throw new FieldError('Invalid cursor');
			}
			const decipher = createDecipheriv('aes-128-cbc', cipherKey, said.subarray(9, 25));
			return Buffer.concat([decipher.update(said.subarray(25)), decipher.final()]).toString('utf8');
		},
	};
}
