import type { Listing } from './listing.ts';

/** A list as known after each page that is read, to its end. */
export async function* listingPages<T>(
	first: () => Promise<Listing<T>>,
	more: () => Promise<Listing<T>>,
): AsyncGenerator<Listing<T>, void, void> {
	for (let listing = await first(); ; listing = await more()) {
		yield listing;
		if (listing.completeness.kind !== 'more') {
			return;
		}
	}
}
