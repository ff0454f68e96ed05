import { isSameValue } from '../../base/isSameValue.ts';
import type { Listing } from './listing.ts';

/** Effect of a page. */
export interface PageOutcome<T> {
	/** The known list changed: new or moved items, or more pages. */
	readonly isOtherList: boolean;
	/** Known items that look different now. */
	readonly changed: readonly T[];
}

/** Visible parts of an item, compared by identity; `undefined` for an unknown item. */
export type Shown = readonly unknown[] | undefined;

/** The items that look different after `take`. */
export function changedBy<T>(items: readonly T[], shown: (item: T) => Shown, take: () => void): readonly T[] {
	const before = items.map(shown);
	take();
	return items.filter((item, at) => {
		const was = before[at];
		return was !== undefined && shown(item)?.some((part, place) => part !== was[place]) === true;
	});
}

/** Change events for a page: one for the list, one per item. Without `ofItem`, item changes count as list changes. */
export function changesOfPage<T, C>(
	{ isOtherList, changed }: PageOutcome<T>,
	ofList: C,
	ofItem?: (item: T) => C,
): readonly C[] {
	const isListTold = isOtherList || (ofItem === undefined && changed.length > 0);
	return [...(isListTold ? [ofList] : []), ...(ofItem ? changed.map((item) => ofItem(item)) : [])];
}

/** True for equal ids in equal order and an equal end. Items may differ in content. */
export function isSameListing<T>(
	one: Listing<T>,
	other: Listing<T> | undefined,
	idOf: (item: T) => number | string,
): boolean {
	if (!other || !isSameValue(one.completeness, other.completeness)) {
		return false;
	}
	return (
		one.items === other.items ||
		(one.items.length === other.items.length &&
			one.items.every((item, at) => {
				const now = other.items[at];
				return now !== undefined && (item === now || idOf(item) === idOf(now));
			}))
	);
}
