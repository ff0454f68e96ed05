import { listOf, maybe, text, whole } from './keptFields.ts';
import { fieldsOf } from './keptValues.ts';
import { isAway, isRefused } from '../../forge/isAway.ts';
import type { Completeness } from '../../forge/page.ts';
import type { KeptListing, Listing, ReadOnce } from './listing.ts';

/** How much of a list is kept: making a file of more would take longer than a frame, and nobody scrolls so far offline. */
export interface ListingBounds<T> {
	readonly rows?: number;
	/** About how many characters a row takes where that may be many. */
	readonly sizeOf?: (item: T) => number;
}

const mostRows = 500;
/** More is not written at once. */
export const mostCharacters = 500_000;

/** Where one list is kept. */
export interface ListingFile<T> {
	readonly itemOf: (value: unknown) => T;
	readonly bounds?: ListingBounds<T> | undefined;
	/** `open` throws for what is not as it was written. */
	readonly read: (open: (value: unknown) => Listing<T>) => Promise<ReadOnce<Listing<T>> | undefined>;
	/** `value` is asked for when there is time to write it; `undefined` for what is not to be kept. */
	readonly keep: (count: number, value: () => Listing<T> | undefined) => void;
	readonly drop: () => void;
}

/** Keeps the first rows of a list as they were read last. */
export function keptListing<T>({ itemOf, bounds = {}, read, keep, drop }: ListingFile<T>): KeptListing<T> {
	return {
		read: () => read((value) => listingOf(value, itemOf)),
		keep: (listing) =>
			keep(Math.min(listing.items.length, bounds.rows ?? mostRows), () => {
				const { items, completeness } = firstOf(listing, bounds);
				// Nothing would be taken for an empty list.
				if (items.length === 0 && listing.items.length > 0) {
					return undefined;
				}
				// As they are read back: a server may send whole mails where rows need their heads.
				return { items: items.map(itemOf), completeness };
			}),
		drop,
	};
}

/** A list that was kept whole. Throws for what is not as it was written. */
export function listingOf<T>(value: unknown, itemOf: (value: unknown) => T): Listing<T> {
	const { items, completeness } = fieldsOf(value);
	return { items: listOf(items, itemOf), completeness: completenessOf(completeness) };
}

/** What stands in for a list that could not be read. What the forge refuses is shown neither now nor later. */
export async function standIn<T>(
	disk: KeptListing<T> | undefined,
	error: unknown,
): Promise<ReadOnce<Listing<T>> | undefined> {
	if (isRefused(error)) {
		disk?.drop();
	}
	return isAway(error) ? await disk?.read() : undefined;
}

function firstOf<T>({ items, completeness }: Listing<T>, { rows = mostRows, sizeOf }: ListingBounds<T>): Listing<T> {
	const count = Math.min(rows, sizeOf ? countWithin(items, sizeOf) : items.length);
	if (items.length <= count) {
		return { items, completeness };
	}
	const total = completeness.kind === 'complete' ? items.length : undefined;
	const known = completeness.kind === 'more' ? completeness.total : total;
	return { items: items.slice(0, count), completeness: { kind: 'more', total: known } };
}

/** How many of the first ones have room. */
function countWithin<T>(items: readonly T[], sizeOf: (item: T) => number): number {
	let characters = 0;
	const end = items.findIndex((item) => {
		characters += sizeOf(item);
		return characters > mostCharacters;
	});
	return end < 0 ? items.length : end;
}

function completenessOf(value: unknown): Completeness {
	const { kind, total, isLast } = fieldsOf(value);
	switch (text(kind)) {
		case 'complete':
			return { kind: 'complete' };
		case 'more':
			return { kind: 'more', total: maybe(total, whole), ...(isLast === true ? { isLast } : {}) };
		case 'unstated':
			return { kind: 'unstated' };
		default:
			throw new Error('The file is not as it was written');
	}
}
