import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import { time, maybe, whole } from './keptText.ts';
import { fieldsOf } from '../../base/lenientJson.ts';
import type { KeptListing, ReadOnce, Listing } from './listing.ts';

/** Disk cache of texts by name, for one account. */
export interface KeptTexts {
	/**
	 * Decodes a text with `open`. `undefined` for missing or corrupt texts; deletes the text when `open` throws. Never
	 * rejects.
	 */
	read<T>(name: string, open: (text: string) => T): Promise<T | undefined>;
	/** Queues a write, which may not happen. */
	keep(name: string, content: LateText): void;
	/** Queues a removal after pending writes. */
	drop(name: string): void;
}

/** Texts in groups. */
export interface GroupedTexts extends KeptTexts {
	/** Texts of one group, separate from all others. */
	group(name: string): TextGroup;
}

export interface TextGroup extends KeptTexts {
	/** Queues the removal of the whole group, including texts of other windows, after pending writes. */
	dropAll(): void;
}

/** A lazily serialized text. */
export interface LateText {
	readonly aboutBytes: number;
	/** `undefined` to skip the write. */
	readonly text: () => string | undefined;
	/** True to replace an existing text. */
	readonly isNewer: boolean;
}

/** Increment when the format changes: old texts are deleted and read again. */
const version = 1;
/** Overhead of a value besides its texts. */
export const headBytes = 1000;

/** Cached values with the time of their reading, by name. */
export type KeptReadings = ReturnType<typeof keptReadings>;

/** Stores each value as one line with a header. */
export function keptReadings(kept: KeptTexts, clock: Clock) {
	function keepLate(name: string, value: () => unknown, aboutBytes: number): number {
		const readAtMs = clock.nowMs();
		const text = (): string | undefined => {
			const late = value();
			return late === undefined ? undefined : headLine(name, { value: late, readAtMs });
		};
		kept.keep(name, { aboutBytes, text, isNewer: true });
		return readAtMs;
	}

	return {
		/** `valueOf` throws on invalid values. Never rejects. */
		read: <T>(name: string, valueOf: (value: unknown) => T): Promise<ReadOnce<T> | undefined> =>
			kept.read(name, (written) => readOnceOf(headOf(name, written), valueOf)),
		/** For plain JSON values. */
		keep: (name: string, value: unknown, aboutBytes: number = headBytes) => keepLate(name, () => value, aboutBytes),
		drop: (name: string) => kept.drop(name),
		/** Caches the first rows of a list. `itemOf` throws on invalid values. */
		listing: <T>(name: string, itemOf: (value: unknown) => T, bounds: ListingBounds<T> = {}): KeptListing<T> => ({
			read: () =>
				kept.read(name, (written) =>
					readOnceOf(headOf(name, written), (value) => {
						const { items, completeness } = fieldsOf(value);
						return {
							items: v.parse(v.array(v.unknown()), items).map(itemOf),
							completeness: v.parse(keptCompleteness, completeness),
						};
					}),
				),
			keep(listing) {
				const late = (): Listing<T> | undefined => {
					const { items, completeness } = firstRows(listing, bounds);
					// Storing no rows would look like an empty list.
					if (items.length === 0 && listing.items.length > 0) {
						return undefined;
					}
					// Decode before writing: servers may send whole mails where rows need only headers.
					return { items: items.map(itemOf), completeness };
				};
				const count = Math.min(listing.items.length, bounds.rows ?? mostRows);
				return keepLate(name, late, headBytes * (count + 1));
			},
			drop: () => kept.drop(name),
		}),
	};
}

function readOnceOf<T>(written: unknown, read: (value: unknown) => T): ReadOnce<T> {
	const { value, readAtMs } = fieldsOf(written);
	return { value: read(value), readAtMs: v.parse(time, readAtMs) };
}

/** The header line. */
export function headLine(name: string, value: object | number): string {
	return JSON.stringify({ version, name, value });
}

/** Decodes a header line. Throws for another name or version. */
export function headOf(name: string, line: string): unknown {
	const { version: written, name: own, value } = fieldsOf(JSON.parse(line));
	if (written !== version || own !== name) {
		throw new Error('The file does not begin as it should');
	}
	return value;
}

/** Limits of a cached list: serializing more would take longer than a frame, and nobody scrolls that far offline. */
export interface ListingBounds<T> {
	readonly rows?: number;
	/** Approximate characters per row, if rows may be large. */
	readonly sizeOf?: (item: T) => number;
}

const mostRows = 500;
/** Limit per write. */
export const mostCharacters = 500_000;

export const keptCompleteness = v.variant('kind', [
	v.object({ kind: v.literal('complete') }),
	v.object({ kind: v.literal('more'), total: maybe(whole), isLast: v.exactOptional(v.literal(true)) }),
	v.object({ kind: v.literal('unstated') }),
]);

/** The leading items within the limits. */
function firstRows<T>({ items, completeness }: Listing<T>, { rows = mostRows, sizeOf }: ListingBounds<T>): Listing<T> {
	let characters = 0;
	const end = items.findIndex((item, at) => {
		characters += sizeOf?.(item) ?? 0;
		return at >= rows || characters > mostCharacters;
	});
	if (end < 0) {
		return { items, completeness };
	}
	const total = completeness.kind === 'complete' ? items.length : undefined;
	const known = completeness.kind === 'more' ? completeness.total : total;
	return { items: items.slice(0, end), completeness: { kind: 'more', total: known } };
}
