import { isSameValue } from '../../base/isSameValue.ts';
import type { Listing } from './listing.ts';

/** What a page made of what is known. */
export interface PageOutcome<T> {
	/** A list that was known is another one: something came to it or stands elsewhere, or it reaches further. */
	readonly isOtherList: boolean;
	/** What was known already, from this list or otherwise, and is shown otherwise now. */
	readonly changed: readonly T[];
}

/** What is shown of one thing, to be compared by identity; nothing where it is not known. */
export type Shown = readonly unknown[] | undefined;

/** Those of the items that were known and are shown otherwise once `take` has run. */
export function changedBy<T>(items: readonly T[], shown: (item: T) => Shown, take: () => void): readonly T[] {
	const before = items.map(shown);
	take();
	return items.filter((item, at) => {
		const was = before[at];
		return was !== undefined && shown(item)?.some((part, place) => part !== was[place]) === true;
	});
}

/** What is to be told of a page: one change of the list, and one of each thing. Without `ofItem` things are part of their list. */
export function changesOfPage<T, C>(
	{ isOtherList, changed }: PageOutcome<T>,
	ofList: C,
	ofItem?: (item: T) => C,
): readonly C[] {
	const isListTold = isOtherList || (ofItem === undefined && changed.length > 0);
	return [...(isListTold ? [ofList] : []), ...(ofItem ? changed.map((item) => ofItem(item)) : [])];
}

/** The same items stand in the same order, be some of them others now, and the list ends alike. */
export function isSameListing<T>(
	one: Listing<T>,
	other: Listing<T> | undefined,
	idOf: (item: T) => number | string,
): boolean {
	const isSame = (item: T, at: number): boolean => {
		const now = other?.items[at];
		return now !== undefined && (item === now || idOf(item) === idOf(now));
	};
	return (
		other !== undefined &&
		(one.items === other.items || (one.items.length === other.items.length && one.items.every(isSame))) &&
		isSameValue(one.completeness, other.completeness)
	);
}
