import { pages } from '../../answers/pages.ts';
import { byCursor, moreOfUnknown, type PagingWay, type RawPage } from '../../answers/pagingWay.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import { throwDone } from '../../forge/mayHaveArrived.ts';
import type { Pages } from '../../forge/page.ts';

/** A list that is asked for page by page. */
export interface Listed<T> {
	/** The page at a cursor, the first one without. `undefined`: what should have the list is not there, or not for us. */
	readonly fetch: (cursor: string | undefined, signal: AbortSignal) => Promise<RawPage<T> | undefined>;
	readonly key: (item: T) => string | number;
	/**
	 * Present where the server loses things between pages (docs/protocol.md#graphql-pages-of-mails): then nobody can say
	 * after more than one page that this is all.
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

/** A page that adds nothing holds more of one second than a page does, and each next one would be it again. */
function lossyWay<T>(): PagingWay<T> {
	const step = byCursor<T>();
	return (progress) =>
		progress.page.next !== undefined && progress.added === 0 ? { end: moreOfUnknown } : step(progress);
}

/** Reads the result of a write that was carried out. A failure says so. */
export async function readBack<T>(reading: Promise<T | undefined>): Promise<T> {
	try {
		return orNotFound(await reading);
	} catch (error) {
		throwDone(error);
	}
}

/** What is null is not there, or not for us. */
export function orNotFound<T>(found: T | undefined): T {
	if (found === undefined) {
		throw new ForgeError({ kind: 'notFound' });
	}
	return found;
}
