/** Completeness of a list after some of its pages. */
export type Completeness =
	/** The server confirmed the end. */
	| { readonly kind: 'complete' }
	/** The list continues; `total` only if the server states it. `isLast`: the server offers no further page. */
	| { readonly kind: 'more'; readonly total: number | undefined; readonly isLast?: true }
	/** The server sent a bare array, without a statement. */
	| { readonly kind: 'unstated' };

/** Completeness after the pages ended: a list that promised more stays incomplete. */
export function atTheEnd(last: Completeness): Completeness {
	return last.kind === 'more' ? { ...last, isLast: true } : last;
}

/** Opaque server cursor. It outlives the window. */
export type Cursor = string;

/** One page of a list. */
export interface Page<T> {
	/** New items; excludes items of earlier pages. */
	readonly items: readonly T[];
	/** Count of distinct items in all pages so far. */
	readonly seen: number;
	readonly completeness: Completeness;
	/** Cursor for resuming in a later walk. Absent at the end, and for lists without resumable cursors. */
	readonly next?: Cursor | undefined;
}

/** A lazy, paged list. Stops at the end, or if the server repeats itself. */
export type Pages<T> = AsyncGenerator<Page<T>, void, undefined>;
