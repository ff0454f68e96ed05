import type { Completeness } from '../forge/page.ts';

/** What one answer of a list holds, before anything is made of it. */
export interface RawPage<T> {
	/** Doubles included. */
	readonly items: readonly T[];
	/** Cursor of the next page, if the server named one. */
	readonly next: string | undefined;
	/** How many there are in all, where the server tells. */
	readonly total: number | undefined;
	readonly isEnvelope: boolean;
	/** The server failed to say whether a page follows, or sent less than this page has. */
	readonly isPart?: true;
}

/** What is known when the next step is to be found. */
export interface Progress<T> {
	readonly page: RawPage<T>;
	/** Different things so far. */
	readonly seen: number;
	/** How many of them this page added. */
	readonly added: number;
}

/** Where to go on, or why not. */
export type Step =
	/** `isGuess`: the server did not offer this page, so its absence is the end and no error. */
	{ readonly start: string; readonly isGuess?: true } | { readonly end: Completeness };

/** Finds the next page. Made anew for each listing, because some ways remember. */
export type PagingWay<T> = (progress: Progress<T>) => Step;

/** There is more, and nobody says how much. */
export const moreOfUnknown: Completeness = { kind: 'more', total: undefined };

/** The server has more and lists no further page. */
export const moreThanListed: Completeness = { kind: 'more', total: undefined, isLast: true };

/** What a page says of the whole when it names no next one. */
export function ending(page: RawPage<unknown>, seen: number): Completeness {
	if (!page.isEnvelope) {
		return { kind: 'unstated' };
	}
	return page.total !== undefined && seen < page.total ? { kind: 'more', total: page.total } : { kind: 'complete' };
}

/**
 * The server's cursor, unchanged. A page that a cursor promised and that is empty, or repeats earlier things, is no end of a
 * complete list (docs/protocol.md#pages-without-an-end).
 */
export function byCursor<T>(): PagingWay<T> {
	let isPromised = false;
	return ({ page, seen, added }) => {
		if (page.next !== undefined) {
			isPromised = true;
			return { start: page.next };
		}
		const isMissing = isPromised && page.total === undefined && (added === 0 || added < page.items.length);
		return { end: isMissing ? moreThanListed : ending(page, seen) };
	};
}
