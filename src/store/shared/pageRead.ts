import type { Completeness, Page, Pages } from 'sourcehut/port/page.ts';
import type { ItemOrder } from './listedItems.ts';
import type { KeptListing, Listing, ReadBefore } from './listing.ts';

export interface ListSource<T> extends ItemOrder<T> {
	/** Starts at the first page. */
	readonly open: (signal: AbortSignal) => Pages<T>;
	/** Disk cache of the first rows; absent when nothing may be stored. */
	readonly disk?: KeptListing<T> | undefined;
	/** Called with each reading; apply it with `take`. Default: the list applies its own readings. */
	readonly arrived?: (read: PageRead<T>) => void;
}

export type PageRead<T> = NewPage<T> | AllPages<T> | OldPage<T> | FailedList;

/** A page from the forge. */
export interface NewPage<T> {
	/**
	 * `next`: follows the known items. `newest`: reaches from the top to the known items. `anew`: starts the list over.
	 */
	readonly place: 'next' | 'newest' | 'anew';
	readonly items: readonly T[];
	/** `undefined` after the last page. */
	readonly completeness: Completeness | undefined;
	/** Change counter at the start of the request; later changes win. */
	readonly stamp: number;
	/** Iterator to continue with when the list starts over. */
	readonly pages: OpenPages<T>;
}

/** The complete list, or `completeness` `more` if it was too long; then missing items prove nothing. */
export interface AllPages<T> extends Listing<T> {
	readonly place: 'all';
	/** Change counter at the start of the first request. */
	readonly stamp: number;
}

/** Cached rows until the forge answers. Arrives again with the error if the refresh fails. */
interface OldPage<T> extends Listing<T> {
	readonly place: 'before';
	readonly before: ReadBefore;
}

/** The refresh of cached rows failed with an answer of the forge, so the list drops them. */
interface FailedList {
	readonly place: 'failed';
	readonly items: readonly never[];
}

/** True for rows that the forge sent. */
export function isAnswer({ place }: PageRead<unknown>): boolean {
	return place !== 'before' && place !== 'failed';
}

/** A page iterator and its cancellation. */
export interface OpenPages<T> {
	readonly iterator: Pages<T>;
	readonly abort: AbortController;
}

/** `undefined`: no more pages. */
export function contentOf<T>(page: Page<T> | undefined): Pick<NewPage<T>, 'items' | 'completeness'> {
	return page ? { items: page.items, completeness: page.completeness } : { items: [], completeness: undefined };
}

/** Calls `asks` before each page request. */
export async function* askedPages<T>(pages: Pages<T>, asks: () => void): Pages<T> {
	asks();
	for await (const page of pages) {
		yield page;
		if (page.completeness.kind === 'more') {
			asks();
		}
	}
}

/** Yields the growing list after each page, until its end. */
export async function* listingPages<T>(
	first: () => Promise<Listing<T>>,
	more: () => Promise<Listing<T>>,
): AsyncGenerator<Listing<T>, void, void> {
	for (let listing = await first(); ; listing = await more()) {
		yield listing;
		const { completeness } = listing;
		if (completeness.kind !== 'more' || completeness.isLast) {
			return;
		}
	}
}
