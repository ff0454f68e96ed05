import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { FieldError } from './engine.ts';

/** Where a page goes on: a text that says nothing, is bound to no list and to no person. */
export interface Cursors {
	write(next: number): string;
	/** Throws what the field is refused with. */
	read(cursor: string): number;
}

const pageSize = 25;

/** Sealed as Fernet does it, by keys that live as long as the world. */
export function createCursors(nowMs: () => number): Cursors {
	const signKey = randomBytes(16);
	const cipherKey = randomBytes(16);
	const proofOf = (said: Uint8Array): Buffer => createHmac('sha256', signKey).update(said).digest();
	return {
		write(next) {
			const head = Buffer.alloc(9, 0x80);
			head.writeBigInt64BE(BigInt(Math.floor(nowMs() / 1000)), 1);
			const start = randomBytes(16);
			const cipher = createCipheriv('aes-128-cbc', cipherKey, start);
			const text = JSON.stringify({ count: pageSize, next: String(next), search: '' });
			const said = Buffer.concat([head, start, cipher.update(text, 'utf8'), cipher.final()]);
			return Buffer.concat([said, proofOf(said)]).toString('base64url');
		},
		read(cursor) {
			const bytes = Buffer.from(cursor, 'base64url');
			const said = bytes.subarray(0, -32);
			if (said.length < 41 || !proofOf(said).equals(bytes.subarray(-32))) {
				throw new FieldError('Invalid cursor');
			}
			const decipher = createDecipheriv('aes-128-cbc', cipherKey, said.subarray(9, 25));
			const text = Buffer.concat([decipher.update(said.subarray(25)), decipher.final()]).toString('utf8');
			return Number(/"next":"(-?\d+)"/.exec(text)?.[1]);
		},
	};
}

/** The argument that every list has. */
export interface PageWish {
	readonly cursor?: string | null;
}

/** A list as it is paged. */
export interface PagedRows<T> {
	readonly rows: readonly T[];
	/** By which it falls. */
	readonly key: (row: T) => number;
	/** What the cursor keeps of the key of the row that follows; all of it when left out. */
	readonly mark?: (key: number) => number;
	readonly show: (row: T) => object;
}

/** 25 of a list, from the cursor on. */
export function pageOf<T>(
	cursors: Cursors,
	{ rows, key, mark = (whole) => whole, show }: PagedRows<T>,
	{ cursor = null }: PageWish,
): { readonly results: readonly object[]; readonly cursor: string | null } {
	const start = cursor === null ? Infinity : cursors.read(cursor);
	const from = rows.filter((row) => key(row) <= start);
	const following = from[pageSize];
	return {
		results: from.slice(0, pageSize).map(show),
		cursor: following === undefined ? null : cursors.write(mark(key(following))),
	};
}
