function lengthBefore(text: string): Buffer {
	const bytes = Buffer.from(text);
	const length: number[] = [];
	let rest = bytes.length;
	do {
		length.push((rest % 128) + (rest >= 128 ? 128 : 0));
		rest = Math.floor(rest / 128);
	} while (rest > 0);
	return Buffer.concat([Buffer.from(length), bytes]);
}

/** Fields of a token. */
export interface TokenParts {
	readonly expiresS: number;
	readonly grants: string;
	readonly clientId: string;
	readonly name: string;
}

/** A token in the format of GraphQL services; its proof is invalid. */
export function grantToken({ expiresS, grants, clientId, name }: TokenParts, version = 0): string {
	const expires = Buffer.alloc(8);
	expires.writeBigInt64LE(BigInt(expiresS));
	const said = [Buffer.from([version]), expires, ...[grants, clientId, name].map(lengthBefore)];
	return Buffer.concat([...said, Buffer.alloc(32, 7)])
		.toString('base64')
		.replace(/=+$/, '');
}
