import type { Pages } from '../forge/page.ts';
import { pages, type PagedList } from '../answers/pages.ts';
import type { RawPage } from '../answers/pagingWay.ts';
import type { Caller } from './caller.ts';
import type { Call, Endpoint } from './endpoint.ts';

/** Pages through what an endpoint lists. The cursor is a value of the query and never an address. */
export function paged<Route extends string, T>(
	caller: Caller,
	endpoint: Endpoint<Route, RawPage<T>>,
	call: Call<Route>,
	list: NoInfer<Omit<PagedList<T>, 'fetch'>>,
): Pages<T> {
	const { query } = call;
	const prepared = caller.prepare(endpoint, call);
	return pages(
		{
			...list,
			fetch: (start, signal) =>
				prepared(start === undefined ? { ...(query && { query }), signal } : { query: { ...query, start }, signal }),
		},
		call.signal,
	);
}
