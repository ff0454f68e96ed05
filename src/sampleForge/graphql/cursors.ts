import { createSealedText } from './sealedText.ts';

const pageSize = 25;

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
