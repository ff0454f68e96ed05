import type { Completeness, Pages } from '../../forge/page.ts';
import type { Listing, ReadBefore } from './listing.ts';

/** What was read of a list. */
export type PageRead<T> = NewPage<T> | AllPages<T> | OldPage<T>;

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

/** What another window read, while the forge is away. */
interface OldPage<T> extends Listing<T> {
	readonly place: 'before';
	readonly before: ReadBefore;
}

/** Pages that are read one after the other, until somebody gives them up. */
export interface OpenPages<T> {
	readonly iterator: Pages<T>;
	readonly abort: AbortController;
}
