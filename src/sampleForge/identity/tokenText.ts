import { createHmac, randomBytes } from 'node:crypto';
import type { Grant } from '../shared/area.ts';
import type { Dialect } from '../shared/dialect.ts';
import { spellScopes } from './scopes.ts';

/** Content of a token, if the dialect has any. */
export type TokenClaims = Pick<Grant, 'userName' | 'clientId' | 'scopes' | 'expiresMs'>;

/** Writes the text of a new token. */
export type TokenWriter = (claims: TokenClaims) => string;

/** 32 hexadecimal digits, or for GraphQL the encoded grant (docs/protocol.md#grant-tokens). */
export function createTokenWriter(dialect: Dialect): TokenWriter {
	if (dialect.graphql === null) {
		return () => randomBytes(16).toString('hex');
	}
	const key = randomBytes(32);
	return ({ userName, clientId, scopes, expiresMs }) => {
		const expiry = Buffer.alloc(8);
		expiry.writeBigInt64LE(BigInt(Math.floor(expiresMs / 1000)));
		const said = Buffer.concat([
			Buffer.of(0),
			expiry,
			...[spellScopes(dialect, scopes), clientId ?? '', userName].map(withLength),
		]);
		const proof = createHmac('sha256', key).update(said).digest();
		return Buffer.concat([said, proof]).toString('base64').replace(/=+$/, '');
	};
}

/** A text with a length prefix in base 128, lowest digit first. */
function withLength(text: string): Buffer {
	const bytes = Buffer.from(text);
	const length: number[] = [];
	let left = bytes.length;
	for (; left > 0x7f; left >>= 7) {
		length.push((left & 0x7f) | 0x80);
	}
	return Buffer.concat([Buffer.of(...length, left), bytes]);
}
