import type { Completeness } from '../../forge/page.ts';

/** Something that may have changed since it was read. */
export interface ReadOnce<T> {
	readonly value: T;
	readonly readAtMs: number;
}

/** Something that is shown as it was read before, because it could not be read anew. */
export interface ReadBefore {
	readonly readAtMs: number;
	/** Why it could not. */
	readonly error: unknown;
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
