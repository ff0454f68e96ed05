import { createSealedText } from './sealedText.ts';

/** Where a page goes on: a text that says nothing, is bound to no list and to no person. */
export interface Cursors {
	write(next: number): string;
	/** Throws what the field is refused with. */
	read(cursor: string): number;
}

const pageSize = 25;

export function createCursors(nowMs: () => number): Cursors {
	const { seal, open } = createSealedText(nowMs);
	return {
		write: (next) => seal(JSON.stringify({ count: pageSize, next: String(next), search: '' })),
		read: (cursor) => Number(/"next":"(-?\d+)"/.exec(open(cursor))?.[1]),
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
