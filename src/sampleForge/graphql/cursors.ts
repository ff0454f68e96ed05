import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { FieldError } from './engine.ts';

/** Encrypts opaque cursors like Fernet, with keys for one life of the world. */
function createSealedText(nowMs: () => number) {
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

/** Start of a page: a number, a name or an id, by the order of the list. */
export interface Place {
	readonly count: number;
	readonly next: string;
}

export const pageSize = 25;

/** Cursors carry no list name, so a cursor of another list is accepted. */
export type PlaceCursors = ReturnType<typeof createPlaceCursors>;

export function createPlaceCursors(nowMs: () => number) {
	const { seal, open } = createSealedText(nowMs);
	return {
		write: ({ count, next }: Place) => seal(JSON.stringify({ count, next, search: '' })),
		/** `undefined` without a cursor. Throws the field's error. */
		read({ cursor = null }: PageWish): Place | undefined {
			if (cursor === null) {
				return undefined;
			}
			const text = open(cursor);
			return {
				count: Number(/"count":(\d+)/.exec(text)?.[1] ?? pageSize),
				next: /"next":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? '',
			};
		},
	};
}

interface Named {
	readonly name: string;
}

/**
 * A page of 25 names. The cursor names the first unread row, but the next page starts two rows later: it looks for the
 * first name after the cursor and skips that one too (docs/protocol.md#graphql-pages-of-names).
 */
export function pageOfNames<T extends Named>(
	cursors: PlaceCursors,
	{ rows, show }: { readonly rows: readonly T[]; readonly show: (row: T) => object },
	wish: PageWish,
): { readonly results: readonly object[]; readonly cursor: string | null } {
	const place = cursors.read(wish);
	const behind = place === undefined ? -1 : rows.findIndex(({ name }) => isBehind(name, place.next));
	const from = place === undefined ? 0 : behind < 0 ? rows.length : behind + 1;
	const following = rows[from + pageSize];
	return {
		results: rows.slice(from, from + pageSize).map(show),
		cursor: following === undefined ? null : cursors.write({ count: pageSize, next: following.name }),
	};
}

/** Compares bytes, like Go. */
function isBehind(name: string, other: string): boolean {
	return Buffer.compare(Buffer.from(name), Buffer.from(other)) > 0;
}

/** Opaque cursors. They carry no list and no user. */
export type Cursors = ReturnType<typeof createCursors>;

export function createCursors(nowMs: () => number) {
	const { seal, open } = createSealedText(nowMs);
	return {
		write: (next: number) => seal(JSON.stringify({ count: pageSize, next: String(next), search: '' })),
		/** Throws the field's error. */
		read: (cursor: string) => Number(/"next":"(-?\d+)"/.exec(open(cursor))?.[1]),
	};
}

/** The argument of every list. */
export interface PageWish {
	readonly cursor?: string | null;
}

/** Rows of a paged list. */
export interface PagedRows<T> {
	readonly rows: readonly T[];
	/** Descending sort key. */
	readonly key: (row: T) => number;
	/** Maps the next row's key to the cursor. Default: the key itself. */
	readonly mark?: (key: number) => number;
	readonly show: (row: T) => object;
}

/** A page of 25 rows, from the cursor. */
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
