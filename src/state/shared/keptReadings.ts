import type { Clock } from '../../base/clock.ts';
import { keptListing, type ListingBounds } from './keptListing.ts';
import { text, time } from './keptFields.ts';
import { fieldsOf } from './keptValues.ts';
import type { KeptListing, ReadOnce } from './listing.ts';

/** Texts of one account by name, where they outlive the window. */
export interface KeptTexts {
	/**
	 * What `open` makes of a text. `undefined` for what is not kept, or is no longer whole; what `open` refuses by throwing
	 * is removed. Never rejects.
	 */
	read<T>(name: string, open: (text: string) => T): Promise<T | undefined>;
	/** Begins to keep a text. Nobody waits for it, and it may be given up. */
	keep(name: string, content: LateText): void;
	/** Begins to remove a text, after what is to be kept already. */
	drop(name: string): void;
}

/** Texts of which some go together. */
export interface GroupedTexts extends KeptTexts {
	/** Those of one group; they stand beside all others. */
	group(name: string): TextGroup;
}

export interface TextGroup extends KeptTexts {
	/** Begins to remove all of them, whichever window kept them, after what is to be kept already. */
	dropAll(): void;
}

/** A text that is made when there is time for it. */
export interface LateText {
	readonly aboutBytes: number;
	/** `undefined` for what is not to be kept. */
	readonly text: () => string | undefined;
	/** True for what takes the place of what is kept already; else that stays. */
	readonly isNewer: boolean;
}

/** What may change on the forge, as it was read last, and when that was; each by the name of its text. */
export interface KeptReadings {
	/** `valueOf` throws for what is not as it was written. Never rejects. */
	read<T>(name: string, valueOf: (value: unknown) => T): Promise<ReadOnce<T> | undefined>;
	/** Keeps plain JSON. */
	keep(name: string, value: unknown, aboutBytes?: number): void;
	drop(name: string): void;
	/** The first rows of a list. */
	listing<T>(name: string, itemOf: (value: unknown) => T, bounds?: ListingBounds<T>): KeptListing<T>;
}

/** Changes with the format, so that what an older version wrote is dropped and read anew. */
const version = 1;
/** What one thing takes beside its texts. */
export const headBytes = 1000;

/** Readings as texts of one line, which says what it is. */
export function keptReadings(kept: KeptTexts, clock: Pick<Clock, 'nowMs'>): KeptReadings {
	function keepLate(name: string, value: () => unknown, aboutBytes: number): void {
		const readAtMs = clock.nowMs();
		const text = (): string | undefined => {
			const late = value();
			return late === undefined ? undefined : headLine(name, { value: late, readAtMs });
		};
		kept.keep(name, { aboutBytes, text, isNewer: true });
	}

	return {
		read: (name, valueOf) => kept.read(name, (written) => readOnceOf(headOf(name, written), valueOf)),
		keep: (name, value, aboutBytes = headBytes) => keepLate(name, () => value, aboutBytes),
		drop: (name) => kept.drop(name),
		listing: (name, itemOf, bounds) =>
			keptListing({
				itemOf,
				bounds,
				read: (open) => kept.read(name, (written) => readOnceOf(headOf(name, written), open)),
				keep: (count, value) => keepLate(name, value, headBytes * (count + 1)),
				drop: () => kept.drop(name),
			}),
	};
}

function readOnceOf<T>(written: unknown, read: (value: unknown) => T): ReadOnce<T> {
	const { value, readAtMs } = fieldsOf(written);
	return { value: read(value), readAtMs: time(readAtMs) };
}

/** The line that a text begins with. */
export function headLine(name: string, value: object | number): string {
	return JSON.stringify({ version, name, value });
}

/** What such a line says. Throws for one of another text, or of another version. */
export function headOf(name: string, line: string): unknown {
	const { version: written, name: own, value } = fieldsOf(JSON.parse(line));
	if (written !== version || text(own) !== name) {
		throw new Error('The file does not begin as it should');
	}
	return value;
}
