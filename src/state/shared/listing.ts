import type { Completeness } from '../../forge/page.ts';

/** Something that may have changed since it was read. */
export interface ReadOnce<T> {
	readonly value: T;
	readonly readAtMs: number;
}

/** Something that is shown as an earlier window read it: it is being read anew, or could not be. */
export interface ReadBefore {
	readonly readAtMs: number;
	/** Why it could not; `undefined` while it is being read. */
	readonly error: unknown;
}

/** Whether the answer is under way that will take its place. */
export function isBeingRead(before: ReadBefore | undefined): boolean {
	return before !== undefined && before.error === undefined;
}

/** Of when the oldest is of what is being read anew. */
export function oldestBeingRead(all: readonly (ReadBefore | undefined)[]): number | undefined {
	const times = all.flatMap((before) => (before && isBeingRead(before) ? [before.readAtMs] : []));
	return times.length === 0 ? undefined : Math.min(...times);
}

/** What is known of a list after some of its pages. */
export interface Listing<T> {
	readonly items: readonly T[];
	readonly completeness: Completeness;
}

/** Where the first rows of a list outlive the window, as they were read last. */
export interface KeptListing<T> {
	/** Never rejects. */
	read(): Promise<ReadOnce<Listing<T>> | undefined>;
	keep(listing: Listing<T>): void;
	/** Removes what is kept: the forge refuses it. */
	drop(): void;
}
