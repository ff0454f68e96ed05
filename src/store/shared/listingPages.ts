import type { Listing } from './listing.ts';

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
