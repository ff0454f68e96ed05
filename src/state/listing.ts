import type { Completeness } from '../forge/page.ts';

/** What is known of a list after some of its pages. */
export interface Listing<T> {
	readonly items: readonly T[];
	readonly completeness: Completeness;
}
