import * as v from 'valibot';
import { byCursor, moreOfUnknown, pages, type PagingWay, type RawPage } from '../../answers/pages.ts';
import { ForgeError } from '../../port/forgeError.ts';
import { throwDone } from '../../port/mayHaveArrived.ts';
import type { Pages } from '../../port/page.ts';
import type { GraphqlCaller } from './graphqlCaller.ts';
import type { Operation } from './operations.ts';
import { partly, unsentKey } from './partial.ts';
import { selected, typeOf } from './selection.ts';
import type { Variables } from './smallerQuestions.ts';

/** Schema of a list page. Servers send 25 items and a cursor; the last page has no cursor. */
export function cursorPage<T>(item: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, RawPage<T>> {
	return v.pipe(
		selected(`${typeOf(item)}Cursor`, { cursor: v.nullish(v.string()), results: v.array(item), ...partly }),
		v.transform(({ cursor, results, [unsentKey]: unsent }): RawPage<T> => ({
			items: results,
			next: cursor ?? undefined,
			total: undefined,
			isEnvelope: true,
			...(unsent.length > 0 ? { isPart: true } : {}),
		})),
	);
}

/** The pages of a list that one operation reads. */
export function listOf<T>(
	{ ask }: GraphqlCaller,
	operation: Operation<RawPage<T> | undefined>,
	variables: Variables,
	key: (item: T) => string | number,
	signal: AbortSignal,
): Pages<T> {
	return listed(
		(cursor, pageSignal) => ask(operation, { ...variables, cursor }, pageSignal),
		key,
		signal,
		operation.isLossy,
	);
}

/**
 * A paged list. `fetch` reads the page at a cursor, or the first page; `undefined`: the owner of the list doesn't exist
 * or the account can't see it.
 */
export async function* listed<T>(
	fetch: (cursor: string | undefined, signal: AbortSignal) => Promise<RawPage<T> | undefined>,
	key: (item: T) => string | number,
	signal: AbortSignal,
	isLossy: boolean = false,
): Pages<T> {
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
	return (page, seen, added) =>
		page.next !== undefined && added === 0 ? { end: moreOfUnknown } : step(page, seen, added);
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
