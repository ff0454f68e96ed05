import { Emitter } from '@forge-desk/base/event.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import { listKey, type ListRef, type Patchset, type ShortEmail } from 'sourcehut/port/list.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import { askedPages } from '../shared/pageRead.ts';
import type { PagedList } from '../shared/pagedList.ts';

type Rows = 'patchsets' | 'posts';

/** Pages of rows. Reports each request. */
export type RowPages = ReturnType<typeof rowPages>;

function rowPages(api: ListApi) {
	const asked = new Emitter<string>();
	const lowest = new Map<string, number>();

	async function* noted(ref: ListRef, pages: Pages<Patchset>): Pages<Patchset> {
		let isNewest = true;
		for await (const page of pages) {
			if (isNewest) {
				lowest.set(
					listKey(ref),
					page.items.reduce((least, { id }) => Math.min(least, id), Number.POSITIVE_INFINITY),
				);
			}
			isNewest = false;
			yield page;
		}
	}

	return {
		/** Lowest number on the newest page of patchsets; `undefined` before the first read. */
		lowestPatchset: (ref: ListRef) => lowest.get(listKey(ref)),
		posts: (ref: ListRef, signal: AbortSignal) =>
			askedPages(api.posts(ref, signal), () => asked.fire(nameOf(ref, 'posts'))),
		patchsets: (ref: ListRef, signal: AbortSignal) =>
			askedPages(noted(ref, api.patchsets(ref, signal)), () => asked.fire(nameOf(ref, 'patchsets'))),
		/** While `work` runs, `asks` precedes each request for these rows, whoever sends it. */
		async counted(ref: ListRef, kind: Rows, asks: () => void, work: () => Promise<unknown>): Promise<void> {
			const name = nameOf(ref, kind);
			const counting = asked.event((each) => (each === name ? asks() : undefined));
			try {
				await work();
			} finally {
				counting.dispose();
			}
		},
	};
}

function nameOf(ref: ListRef, kind: Rows): string {
	return `${kind} ${listKey(ref)}`;
}

/** Reads the newest rows, whatever is in the cache. `asks` precedes each request. */
export type NewestRows = ReturnType<typeof newestRows>;

export function newestRows(
	api: ListApi,
	rowsOf: (ref: ListRef) => { readonly patchsets: PagedList<Patchset>; readonly posts: PagedList<ShortEmail> },
) {
	const pages = rowPages(api);
	return {
		pages,
		/** Lowest number that `reread` covers; `undefined` before the first read. */
		lowestPatchset: (ref: ListRef) => pages.lowestPatchset(ref),
		/** Reads from the newest row to a known one. */
		reread: (ref: ListRef, kind: Rows, asks: () => void, signal: AbortSignal) =>
			pages.counted(ref, kind, asks, () => rowsOf(ref)[kind].renew(signal)),
		/** Reads the next page. */
		more: (ref: ListRef, kind: Rows, asks: () => void, signal: AbortSignal) =>
			pages.counted(ref, kind, asks, () => rowsOf(ref)[kind].more(signal)),
	};
}

export const newestFirst = {
	idOf: ({ id }: { readonly id: number }): number => id,
	compare: (a: { readonly id: number }, b: { readonly id: number }): number => b.id - a.id,
};
