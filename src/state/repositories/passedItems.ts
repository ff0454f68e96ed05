import type { Pages } from '../../forge/page.ts';
import type { KeptListing } from '../shared/listing.ts';

/** Lets the items of each page find their places before anybody compares them. */
export async function* seen<T>(pages: Pages<T>, see: (items: readonly T[]) => void): Pages<T> {
	for await (const page of pages) {
		see(page.items);
		yield page;
	}
}

/** The same of what another window read. */
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
