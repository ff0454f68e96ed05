/** What can honestly be said of a list after some of its pages. */
export type Completeness =
	/** The server said that this is all. */
	| { readonly kind: 'complete' }
	/** There is more; `total` only where the server tells it. */
	| { readonly kind: 'more'; readonly total: number | undefined }
	/** The server sent a bare array and said nothing of more. */
	| { readonly kind: 'unstated' };

/** One page of a list. */
export interface Page<T> {
	/** What this page adds: things that earlier pages already held are left out. */
	readonly items: readonly T[];
	/** How many different things all pages up to this one held. */
	readonly seen: number;
	readonly completeness: Completeness;
}

/** A list, fetched page by page as it is asked for. Stops when the server has no more or repeats itself. */
export type Pages<T> = AsyncGenerator<Page<T>, void, undefined>;
