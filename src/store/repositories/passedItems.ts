import type { Pages } from '../../forge/port/page.ts';
import type { KeptListing } from '../shared/listing.ts';

/** Calls `see` with the items of each page before the consumer compares them. */
export async function* seen<T>(pages: Pages<T>, see: (items: readonly T[]) => void): Pages<T> {
	for await (const page of pages) {
		see(page.items);
		yield page;
	}
}

/** Calls `recall` with items from the disk cache. */
export function recalling<T>(disk: KeptListing<T>, recall: (items: readonly T[]) => void): KeptListing<T> {
	return {
		...disk,
		async read() {
			const old = await disk.read();
			if (old) {
				recall(old.value.items);
			}
			return old;
		},
	};
}
