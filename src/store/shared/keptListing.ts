import * as v from 'valibot';
import { maybe, whole } from './keptText.ts';
import { fieldsOf } from '../../base/looseJson.ts';
import { isAway, isRefused } from 'sourcehut/port/isAway.ts';
import type { KeptListing, Listing, ReadOnce } from './listing.ts';

/** Limits of a cached list: serializing more would take longer than a frame, and nobody scrolls that far offline. */
export interface ListingBounds<T> {
	readonly rows?: number;
	/** Approximate characters per row, if rows may be large. */
	readonly sizeOf?: (item: T) => number;
}

const mostRows = 500;
/** Limit per write. */
export const mostCharacters = 500_000;

/**
 * Caches the first rows of a list on disk. `read`: `open` throws on invalid values. `keep`: `value`: called lazily
 * before the write; `undefined` to skip it.
 */
export function keptListing<T>(
	itemOf: (value: unknown) => T,
	read: (open: (value: unknown) => Listing<T>) => Promise<ReadOnce<Listing<T>> | undefined>,
	keep: (count: number, value: () => Listing<T> | undefined) => void,
	drop: () => void,
	bounds: ListingBounds<T> | undefined = {},
): KeptListing<T> {
	return {
		read: () => read((value) => listingOf(value, itemOf)),
		keep: (listing) =>
			keep(Math.min(listing.items.length, bounds.rows ?? mostRows), () => {
				const { items, completeness } = firstOf(listing, bounds);
				// Storing no rows would look like an empty list.
				if (items.length === 0 && listing.items.length > 0) {
					return undefined;
				}
				// Decode before writing: servers may send whole mails where rows need only headers.
				return { items: items.map(itemOf), completeness };
			}),
		drop,
	};
}

export const keptCompleteness = v.variant('kind', [
	v.object({ kind: v.literal('complete') }),
	v.object({ kind: v.literal('more'), total: maybe(whole), isLast: v.exactOptional(v.literal(true)) }),
	v.object({ kind: v.literal('unstated') }),
]);

/** Decodes a cached list. Throws on invalid values. */
function listingOf<T>(value: unknown, itemOf: (value: unknown) => T): Listing<T> {
	const { items, completeness } = fieldsOf(value);
	return {
		items: v.parse(v.array(v.unknown()), items).map(itemOf),
		completeness: v.parse(keptCompleteness, completeness),
	};
}

/** Fallback for a failed read. A refusal by the forge deletes the cached list. */
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

/** Number of leading items within the character limit. */
function countWithin<T>(items: readonly T[], sizeOf: (item: T) => number): number {
	let characters = 0;
	const end = items.findIndex((item) => {
		characters += sizeOf(item);
		return characters > mostCharacters;
	});
	return end < 0 ? items.length : end;
}
