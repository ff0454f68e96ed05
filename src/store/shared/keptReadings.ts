import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import { keptListing, type ListingBounds } from './keptListing.ts';
import { time } from './keptText.ts';
import { fieldsOf } from '../../base/looseJson.ts';
import type { KeptListing, ReadOnce } from './listing.ts';

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
	function keepLate(name: string, value: () => unknown, aboutBytes: number): void {
		const readAtMs = clock.nowMs();
		const text = (): string | undefined => {
			const late = value();
			return late === undefined ? undefined : headLine(name, { value: late, readAtMs });
		};
		kept.keep(name, { aboutBytes, text, isNewer: true });
	}

	return {
		/** `valueOf` throws on invalid values. Never rejects. */
		read: <T>(name: string, valueOf: (value: unknown) => T): Promise<ReadOnce<T> | undefined> =>
			kept.read(name, (written) => readOnceOf(headOf(name, written), valueOf)),
		/** For plain JSON values. */
		keep: (name: string, value: unknown, aboutBytes: number = headBytes) => keepLate(name, () => value, aboutBytes),
		drop: (name: string) => kept.drop(name),
		/** Caches the first rows of a list. */
		listing: <T>(name: string, itemOf: (value: unknown) => T, bounds?: ListingBounds<T>): KeptListing<T> =>
			keptListing(
				itemOf,
				(open) => kept.read(name, (written) => readOnceOf(headOf(name, written), open)),
				(count, value) => keepLate(name, value, headBytes * (count + 1)),
				() => kept.drop(name),
				bounds,
			),
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
