import { pages } from '../../answers/pages.ts';
import type { RawPage } from '../../answers/pagingWay.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import type { Pages } from '../../forge/page.ts';

/** A list that is asked for page by page. */
export interface Listed<T> {
	/** The page at a cursor, the first one without. `undefined`: what should have the list is not there, or not for us. */
	readonly fetch: (cursor: string | undefined, signal: AbortSignal) => Promise<RawPage<T> | undefined>;
	readonly key: (item: T) => string | number;
}

export async function* listed<T>({ fetch, key }: Listed<T>, signal: AbortSignal): Pages<T> {
	let next: string | undefined;
	const list = pages(
		{
			key,
			async fetch(cursor, pageSignal) {
				const page = orNotFound(await fetch(cursor, pageSignal));
				next = page.next;
				return page;
			},
		},
		signal,
	);
	for await (const page of list) {
		yield page.completeness.kind === 'more' && next !== undefined ? { ...page, next } : page;
	}
}

/** What is null is not there, or not for us. */
export function orNotFound<T>(found: T | undefined): T {
	if (found === undefined) {
		throw new ForgeError({ kind: 'notFound' });
	}
	return found;
}
