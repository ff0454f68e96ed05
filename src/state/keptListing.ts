import { listOf, maybe, text, whole } from './keptMailValues.ts';
import { fieldsOf } from './keptValues.ts';
import type { Completeness } from '../forge/page.ts';
import type { KeptListing, Listing, ReadOnce } from './listing.ts';

/** The first rows of a list; making a file of more would take longer than a frame, and nobody scrolls so far offline. */
const mostRows = 500;

/** Where one list is kept. */
export interface ListingFile<T> {
	readonly itemOf: (value: unknown) => T;
	/** `open` throws for what is not as it was written. */
	readonly read: (open: (value: unknown) => Listing<T>) => Promise<ReadOnce<Listing<T>> | undefined>;
	/** `value` is asked for when there is time to write it. */
	readonly keep: (count: number, value: () => Listing<T>) => void;
}

/** Keeps the first rows of a list as they were read last. */
export function keptListing<T>({ itemOf, read, keep }: ListingFile<T>): KeptListing<T> {
	return {
		read: () =>
			read((value) => {
				const { items, completeness } = fieldsOf(value);
				return { items: listOf(items, itemOf), completeness: completenessOf(completeness) };
			}),
		keep: (listing) =>
			keep(Math.min(listing.items.length, mostRows), () => {
				const { items, completeness } = firstOf(listing);
				// As they are read back: a server may send whole mails where rows need their heads.
				return { items: items.map(itemOf), completeness };
			}),
	};
}

function firstOf<T>({ items, completeness }: Listing<T>): Listing<T> {
	if (items.length <= mostRows) {
		return { items, completeness };
	}
	const total = completeness.kind === 'complete' ? items.length : undefined;
	const known = completeness.kind === 'more' ? completeness.total : total;
	return { items: items.slice(0, mostRows), completeness: { kind: 'more', total: known } };
}

function completenessOf(value: unknown): Completeness {
	const { kind, total } = fieldsOf(value);
	switch (text(kind)) {
		case 'complete':
			return { kind: 'complete' };
		case 'more':
			return { kind: 'more', total: maybe(total, whole) };
		case 'unstated':
			return { kind: 'unstated' };
		default:
			throw new Error('The file is not as it was written');
	}
}
