import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Context, ServiceName } from '../shared/area.ts';
import { check } from '../shared/checks.ts';
import { FieldError } from './engine.ts';

/** Encrypts opaque cursors like Fernet, with keys for one life of the world. */
function createSealedText(context: Context, area: ServiceName) {
	const { signKey, cipherKey } = context.state.part(`cursors of ${area}`, {
		signKey: randomBytes(16),
		cipherKey: randomBytes(16),
	});
	const proofOf = (said: Uint8Array): Buffer => createHmac('sha256', signKey).update(said).digest();
	return {
		seal: (text: string): string => {
			const head = Buffer.alloc(9, 0x80);
			head.writeBigInt64BE(BigInt(Math.floor(context.nowMs() / 1000)), 1);
			const start = randomBytes(16);
			const cipher = createCipheriv('aes-128-cbc', cipherKey, start);
			const said = Buffer.concat([head, start, cipher.update(text, 'utf8'), cipher.final()]);
			return Buffer.concat([said, proofOf(said)]).toString('base64url');
		},
		/** Throws the field's error. */
		open: (sealed: string): string => {
			const bytes = Buffer.from(sealed, 'base64url');
			const said = bytes.subarray(0, -32);
			const isOurs = said.length >= 41 && proofOf(said).equals(bytes.subarray(-32));
			check(isOurs, () => new FieldError('Invalid cursor'));
			const decipher = createDecipheriv('aes-128-cbc', cipherKey, said.subarray(9, 25));
			return Buffer.concat([decipher.update(said.subarray(25)), decipher.final()]).toString('utf8');
		},
	};
}

/** The argument of every list. */
export interface PageWish {
	readonly cursor?: string | null;
}

export const pageSize = 25;

/** The usual key of a page. */
export const byId = ({ id }: { readonly id: number }): number => id;

/** Cursors carry no user and no list name, so a cursor of another list is accepted. */
export type Cursors = ReturnType<typeof createCursors>;

export function createCursors(context: Context, area: ServiceName) {
	const { seal, open } = createSealedText(context, area);
	/** `next` is a number, a name or an id, by the order of the list. */
	const write = (next: number | string, count = pageSize): string =>
		seal(JSON.stringify({ count, next: String(next), search: '' }));
	/** `undefined` without a cursor. Throws the field's error. */
	const read = ({ cursor = null }: PageWish) => {
		if (cursor === null) {
			return undefined;
		}
		const text = open(cursor);
		return {
			count: Number(/"count":(\d+)/.exec(text)?.[1] ?? pageSize),
			next: /"next":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? '',
		};
	};
	return {
		write,
		read,
		/** A page of 25 rows from the cursor, by a descending key. Cursors hold whole keys. */
		page<T>(rows: readonly T[], key: (row: T) => number, show: (row: T) => object, wish: PageWish): object {
			const place = read(wish);
			const from = place === undefined ? rows : rows.filter((row) => key(row) <= Number(place.next));
			const following = from[pageSize];
			return {
				results: from.slice(0, pageSize).map(show),
				cursor: following === undefined ? null : write(Math.floor(key(following))),
			};
		},
		/**
		 * A page of 25 names. The cursor names the first unread row, but the next page starts two rows later: it looks for
		 * the first name after the cursor and skips that one too (docs/protocol.md#graphql-pages-of-names).
		 */
		pageOfNames<T extends { readonly name: string }>(
			rows: readonly T[],
			show: (row: T) => object,
			wish: PageWish,
		): { readonly results: readonly object[]; readonly cursor: string | null } {
			const place = read(wish);
			const behind = place === undefined ? -1 : rows.findIndex(({ name }) => isBehind(name, place.next));
			const from = place === undefined ? 0 : behind < 0 ? rows.length : behind + 1;
			const following = rows[from + pageSize];
			return {
				results: rows.slice(from, from + pageSize).map(show),
				cursor: following === undefined ? null : write(following.name),
			};
		},
	};
}

/** Compares bytes, like Go. */
function isBehind(name: string, other: string): boolean {
	return Buffer.compare(Buffer.from(name), Buffer.from(other)) > 0;
}
