import { pages } from '../../answers/pages.ts';
import { byCursor, moreOfUnknown, type PagingWay, type RawPage } from '../../answers/pagingWay.ts';
import { ForgeError } from '../../port/forgeError.ts';
import { throwDone } from '../../port/mayHaveArrived.ts';
import type { Pages } from '../../port/page.ts';

/** A paged list. */
export interface Listed<T> {
	/**
	 * Fetches the page at a cursor, or the first page. `undefined`: the owner of the list doesn't exist or the account
	 * can't see it.
	 */
	readonly fetch: (cursor: string | undefined, signal: AbortSignal) => Promise<RawPage<T> | undefined>;
	readonly key: (item: T) => string | number;
	/**
	 * The server loses items between pages (docs/protocol.md#graphql-pages-of-mails), so a list of several pages never
	 * counts as complete.
	 */
	readonly isLossy?: true;
}

export async function* listed<T>({ fetch, key, isLossy }: Listed<T>, signal: AbortSignal): Pages<T> {
	let next: string | undefined;
	const list = pages(
		{
			key,
			...(isLossy ? { way: lossyWay } : {}),
			async fetch(cursor, pageSignal) {
				const page = orNotFound(await fetch(cursor, pageSignal));
				next = page.next;
				const isOnly = cursor === undefined && next === undefined;
				return isLossy ? { ...page, isEnvelope: isOnly } : page;
			},
		},
		signal,
	);
	for await (const page of list) {
		const leadsOn = page.completeness.kind === 'more' && !(isLossy && page.items.length === 0);
		yield leadsOn && next !== undefined ? { ...page, next } : page;
	}
}

/**
 * A page without new items means that more items share one second than fit on a page. All later pages would repeat it.
 */
function lossyWay<T>(): PagingWay<T> {
	const step = byCursor<T>();
	return (progress) =>
		progress.page.next !== undefined && progress.added === 0 ? { end: moreOfUnknown } : step(progress);
}

/** Reads the result after a completed write. An error says that the write succeeded. */
export async function readBack<T>(reading: Promise<T | undefined>): Promise<T> {
	try {
		return orNotFound(await reading);
	} catch (error) {
		throwDone(error);
	}
}

/** Null means that the thing doesn't exist or the account can't see it. */
export function orNotFound<T>(found: T | undefined): T {
	if (found === undefined) {
		throw new ForgeError({ kind: 'notFound' });
	}
	return found;
}
