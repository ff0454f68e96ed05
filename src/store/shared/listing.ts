import { minOf } from '@forge-desk/base/longArrays.ts';
import type { Completeness } from 'sourcehut/port/page.ts';

/** A cached value with the time of its reading. */
export interface ReadOnce<T> {
	readonly value: T;
	readonly readAtMs: number;
}

/** A visible cached value whose refresh is in progress or failed. */
export interface ReadBefore {
	readonly readAtMs: number;
	/** Why the refresh failed; `undefined` while in progress. */
	readonly error: unknown;
}

/** True while a refresh is in progress. */
export function isBeingRead(before: ReadBefore | undefined): boolean {
	return before !== undefined && before.error === undefined;
}

/** False for a repeated failure of one refresh. */
export function isOtherAge(was: ReadBefore | undefined, now: ReadBefore | undefined): boolean {
	return was?.readAtMs !== now?.readAtMs || isBeingRead(was) !== isBeingRead(now);
}

/** Time of the oldest cached value that is being refreshed. */
export function oldestBeingRead(all: readonly (ReadBefore | undefined)[]): number | undefined {
	const times = all.flatMap((before) => (before && isBeingRead(before) ? [before.readAtMs] : []));
	return times.length === 0 ? undefined : minOf(times);
}

/** Loaded part of a list. */
export interface Listing<T> {
	readonly items: readonly T[];
	readonly completeness: Completeness;
}

/** Disk cache of the first rows of a list. */
export interface KeptListing<T> {
	/** Never rejects. */
	read(): Promise<ReadOnce<Listing<T>> | undefined>;
	/** Returns the time of the reading, also of rows that the disk does not keep. */
	keep(listing: Listing<T>): number;
	/** Deletes the cache after a refusal by the forge. */
	drop(): void;
}

/** A part with its own loading and error state. */
export type ReadPart<T> =
	| { readonly kind: 'reading' }
	| { readonly kind: 'known'; readonly value: T }
	/** The original error; `src/editor/ask/problems.ts` formats it. */
	| { readonly kind: 'failed'; readonly error: unknown };
