import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import type { SshSigner } from './repositoryDraft.ts';

const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const keyType = 'ssh-ed25519';
const namespace = 'git';
const hashName = 'sha512';

/** A sample key, made from a public phrase: good for a sample world and for nothing else. */
export function createSampleSigner(phrase: string): SshSigner {
	const seed = createHash('sha256').update(phrase).digest();
	const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
	const keyBlob = Buffer.concat([sized(keyType), sized(rawPublicKey(key))]);
	return {
		publicKey: `${keyType} ${keyBlob.toString('base64')}`,
		sign(payload) {
			const digest = createHash(hashName).update(payload).digest();
			const frame = [sized(namespace), sized(''), sized(hashName)];
			const signed = Buffer.concat([Buffer.from('SSHSIG'), ...frame, sized(digest)]);
			const signature = Buffer.concat([sized(keyType), sized(sign(null, signed, key))]);
			const version = Buffer.from([0, 0, 0, 1]);
			const whole = Buffer.concat([Buffer.from('SSHSIG'), version, sized(keyBlob), ...frame, sized(signature)]);
			return armour(whole);
		},
	};
}

function rawPublicKey(key: KeyObject): Buffer {
	return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
}

/** A string of the SSH wire format: its length in four bytes, then its bytes. */
function sized(value: string | Uint8Array): Buffer {
	const bytes = Buffer.from(value);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(bytes.length);
	return Buffer.concat([length, bytes]);
}

function armour(bytes: Buffer): string {
	const lines = bytes.toString('base64').match(/.{1,70}/g) ?? [];
	return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----', ''].join('\n');
}
