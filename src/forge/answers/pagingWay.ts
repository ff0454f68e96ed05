import type { Completeness } from '../port/page.ts';

/** One page of a list, decoded. */
export interface RawPage<T> {
	/** With duplicates. */
	readonly items: readonly T[];
	/** Cursor of the next page. */
	readonly next: string | undefined;
	/** Items in the whole list, if the server tells. */
	readonly total: number | undefined;
	readonly isEnvelope: boolean;
	/** The server omitted items or the cursor. */
	readonly isPart?: true;
}

export interface Progress<T> {
	readonly page: RawPage<T>;
	/** Distinct items so far. */
	readonly seen: number;
	/** New items of this page. */
	readonly added: number;
}

export type Step =
	/** `isGuess`: the server did not name this page. Its absence is the end of the list. */
	{ readonly start: string; readonly isGuess?: true } | { readonly end: Completeness };

/** Finds the next page. Each walk creates its own, because some have state. */
export type PagingWay<T> = (progress: Progress<T>) => Step;

/** The list continues, with unknown length. */
export const moreOfUnknown: Completeness = { kind: 'more', total: undefined };

/** The server has more and lists no further page. */
export const moreThanListed: Completeness = { kind: 'more', total: undefined, isLast: true };

/** Completeness after a page without a next one. */
export function ending(page: RawPage<unknown>, seen: number): Completeness {
	if (!page.isEnvelope) {
		return { kind: 'unstated' };
	}
	return page.total !== undefined && seen < page.total ? { kind: 'more', total: page.total } : { kind: 'complete' };
}

/**
 * Follows the server's cursors. If the last page is empty or repeats items, the list is incomplete
 * (docs/protocol.md#pages-without-an-end).
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
