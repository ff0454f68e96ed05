import type { Completeness, Page, Pages } from '../../forge/page.ts';
import type { ItemOrder } from './listedItems.ts';
import type { KeptListing, Listing, ReadBefore } from './listing.ts';

/** How a list is read and kept. */
export interface PagedListParts<T> extends ItemOrder<T> {
	/** Starts at the first page. */
	readonly open: (signal: AbortSignal) => Pages<T>;
	/** Where its first rows outlive the window; absent where they are not to. */
	readonly disk?: KeptListing<T> | undefined;
	/** Takes in what was read, by `take` of this list; without it the list does so itself. */
	readonly arrived?: (read: PageRead<T>) => void;
}

/** What was read of a list. */
export type PageRead<T> = NewPage<T> | AllPages<T> | OldPage<T> | FailedList;

/** What the forge has answered. */
export interface NewPage<T> {
	/** It follows what is known, reaches down to it from the top, or starts the list over. */
	readonly place: 'next' | 'newest' | 'anew';
	readonly items: readonly T[];
	/** `undefined` where there was no page any more. */
	readonly completeness: Completeness | undefined;
	/** The count of changes when its request began: what came since then is newer. */
	readonly stamp: number;
	/** From where a list that begins with it is read on. */
	readonly pages: OpenPages<T>;
}

/** All pages, unless there were more than anybody waits for: then nothing is proved of what is not among them. */
export interface AllPages<T> extends Listing<T> {
	readonly place: 'all';
	/** The count of changes when its first request began. */
	readonly stamp: number;
}

/** What an earlier window read, until the forge answers. Told once more where it does not, with the reason. */
interface OldPage<T> extends Listing<T> {
	readonly place: 'before';
	readonly before: ReadBefore;
}

/** What an earlier window read could not be read anew, though the forge answered: it is shown no longer. */
interface FailedList {
	readonly place: 'failed';
	readonly items: readonly never[];
}

/** A list that is being read, and the way to give that up. */
export interface OpenPages<T> {
	readonly iterator: Pages<T>;
	readonly abort: AbortController;
}

/** `undefined`: there was no page any more. */
export function contentOf<T>(page: Page<T> | undefined): Pick<NewPage<T>, 'items' | 'completeness'> {
	return page ? { items: page.items, completeness: page.completeness } : { items: [], completeness: undefined };
}
