/** What can honestly be said of a list after some of its pages. */
export type Completeness =
	/** The server said that this is all. */
	| { readonly kind: 'complete' }
	/** There is more; `total` only where the server tells it. `isLast`: the server lists no further page. */
	| { readonly kind: 'more'; readonly total: number | undefined; readonly isLast?: true }
	/** The server sent a bare array and said nothing of more. */
	| { readonly kind: 'unstated' };

/** Completeness after the pages ended: a list that promised more stays incomplete. */
export function atTheEnd(last: Completeness): Completeness {
	return last.kind === 'more' ? { ...last, isLast: true } : last;
}

/** A server's word for a place in a list, of which nothing is known but that it leads on. It outlives the window. */
export type Cursor = string;

/** One page of a list. */
export interface Page<T> {
	/** What this page adds: things that earlier pages already held are left out. */
	readonly items: readonly T[];
	/** How many different things all pages up to this one held. */
	readonly seen: number;
	readonly completeness: Completeness;
	/**
	 * From where the list can be read on later, in a walk of its own; left out at the end, and by lists that cannot be
	 * read on in that way.
	 */
	readonly next?: Cursor | undefined;
}

/** A list, fetched page by page as it is asked for. Stops when the server has no more or repeats itself. */
export type Pages<T> = AsyncGenerator<Page<T>, void, undefined>;
