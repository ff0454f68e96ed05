import { createSealedText } from '../sealedText.ts';
import type { PageWish } from '../cursors.ts';

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
