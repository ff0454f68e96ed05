import { Emitter } from '../../base/event.ts';
import type { ListApi } from '../../forge/forge.ts';
import { listKey, type ListRef, type Patchset, type ShortEmail } from '../../forge/list.ts';
import type { Pages } from '../../forge/page.ts';
import { askedPages } from '../shared/askedPages.ts';
import type { PagedList } from '../shared/pagedList.ts';

type Rows = 'patchsets' | 'posts';

/** Pages of lists' rows as the port has them; who counts requests hears of each. */
export interface RowPages extends Pick<ListApi, Rows> {
	/** The lowest number on the newest page of a list's patchsets, as it was last read; `undefined` before that. */
	lowestPatchset(ref: ListRef): number | undefined;
	/** While `work` runs, `asks` is called each time that a page of these rows is about to be asked for, by whomever. */
	counted(ref: ListRef, kind: Rows, asks: () => void, work: () => Promise<unknown>): Promise<void>;
}

function rowPages(api: Pick<ListApi, Rows>): RowPages {
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
		lowestPatchset: (ref) => lowest.get(listKey(ref)),
		posts: (ref, signal) => askedPages(api.posts(ref, signal), () => asked.fire(nameOf(ref, 'posts'))),
		patchsets: (ref, signal) =>
			askedPages(noted(ref, api.patchsets(ref, signal)), () => asked.fire(nameOf(ref, 'patchsets'))),
		async counted(ref, kind, asks, work) {
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

/** Reads lists' rows from the newest on, whatever is known. `asks`: a page is about to be asked for. */
export interface NewestRows {
	readonly pages: RowPages;
	/** Patchsets of a list with lower numbers are not among those that `reread` asks for; `undefined` before it was read. */
	lowestPatchset(ref: ListRef): number | undefined;
	/** Asks for the newest ones, down to what is known already. */
	reread(ref: ListRef, kind: Rows, asks: () => void, signal: AbortSignal): Promise<void>;
	/** Reads on below what is known. */
	more(ref: ListRef, kind: Rows, asks: () => void, signal: AbortSignal): Promise<void>;
}

/** What is known of a list's rows. */
interface RowsOfList {
	readonly patchsets: Pick<PagedList<Patchset>, 'renew' | 'more'>;
	readonly posts: Pick<PagedList<ShortEmail>, 'renew' | 'more'>;
}

export function newestRows(api: Pick<ListApi, Rows>, rowsOf: (ref: ListRef) => RowsOfList): NewestRows {
	const pages = rowPages(api);
	return {
		pages,
		lowestPatchset: (ref) => pages.lowestPatchset(ref),
		reread: (ref, kind, asks, signal) => pages.counted(ref, kind, asks, () => rowsOf(ref)[kind].renew(signal)),
		more: (ref, kind, asks, signal) => pages.counted(ref, kind, asks, () => rowsOf(ref)[kind].more(signal)),
	};
}
