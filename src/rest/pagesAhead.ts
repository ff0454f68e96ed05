import { abortReason } from '../base/abort.ts';
import { nextTurn } from '../base/timeSlice.ts';
import type { Pages } from '../forge/page.ts';
import { Listing } from '../answers/pages.ts';
import { byNumber } from './pagingWays.ts';
import type { Numbered, SealedPage, UnreadPage } from './sealedPage.ts';

/** Fetches a page without parsing it. */
export type FetchSealed<T> = (start: string | undefined, signal: AbortSignal) => Promise<SealedPage<T>>;

/**
 * Pages through a list of numbered items, with read-ahead: the next request runs while the caller uses the current
 * page. Leaving early aborts it.
 */
export async function* pagesAhead<T>(fetch: FetchSealed<T>, signal: AbortSignal): Pages<T> {
	const listing = new Listing<Numbered>({ key: ({ id }) => id, way: byNumber });
	const ahead = requestsAhead(fetch, signal);
	try {
		for (let { at } = listing; at !== undefined; { at } = listing) {
			const { guess, open } = await ahead.answer(at.start);
			if (guess !== undefined) {
				ahead.begin(guess);
				// Lets the new request reach the network first.
				await nextTurn();
			}
			const unread = open();
			const page = listing.take(unread.raw);
			if (listing.at?.start !== undefined) {
				ahead.begin(listing.at.start);
			}
			yield { ...page, items: readFresh(unread, page.items) };
		}
	} finally {
		ahead.end();
	}
}

interface RequestsAhead<T> {
	/** Requests a page unless already pending. Aborts any other pending request. */
	begin(start: string | undefined): void;
	/** The page at `start`; requests it if not pending. */
	answer(start: string | undefined): Promise<SealedPage<T>>;
	end(): void;
}

/** Holds at most one read-ahead request. */
function requestsAhead<T>(fetch: FetchSealed<T>, signal: AbortSignal): RequestsAhead<T> {
	let abort = new AbortController();
	let begun: { readonly start: string | undefined; readonly page: Promise<SealedPage<T>> } | undefined;
	const giveUp = (): void => abort.abort(abortReason(signal));
	signal.addEventListener('abort', giveUp, { once: true });

	function begin(start: string | undefined): Promise<SealedPage<T>> {
		if (begun !== undefined && begun.start === start) {
			return begun.page;
		}
		if (begun !== undefined) {
			abort.abort();
			abort = new AbortController();
		}
		if (signal.aborted) {
			giveUp();
		}
		const page = fetch(start, abort.signal);
		// Only the consumer of the page handles its failure.
		page.catch(() => undefined);
		begun = { start, page };
		return page;
	}

	return {
		begin: (start) => void begin(start),
		async answer(start) {
			const page = begin(start);
			begun = undefined;
			return await page;
		},
		end() {
			signal.removeEventListener('abort', giveUp);
			abort.abort();
		},
	};
}

function readFresh<T>({ raw, read }: UnreadPage<T>, fresh: readonly Numbered[]): readonly T[] {
	const items = read();
	if (fresh.length === items.length) {
		return items;
	}
	const wanted = new Set(fresh);
	return items.filter((_, place) => {
		const item = raw.items[place];
		return item !== undefined && wanted.has(item);
	});
}
