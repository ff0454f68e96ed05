import type { Completeness, Pages } from '../../forge/page.ts';
import type { Listing } from './listing.ts';

/** So many pages are read at most to meet what is known. */
const mostPages = 20;

/** The newest part of a list. `isApart` when none of it is known and more follows: between it and what is known is a gap. */
export interface NewestPart<T> extends Listing<T> {
	readonly isApart: boolean;
}

/** Reads from the first page on until a page holds something that is known, the list ends, or it takes too long. */
export async function readToKnown<T>(pages: Pages<T>, isKnown: (item: T) => boolean): Promise<NewestPart<T>> {
	const items: T[] = [];
	let completeness: Completeness = { kind: 'complete' };
	for (let count = 1; ; count++) {
		const { value: page, done } = await pages.next();
		if (done) {
			// A list of which nobody said that it ends there may go on unseen.
			return {
				items,
				completeness: completeness.kind === 'unstated' ? completeness : { kind: 'complete' },
				isApart: false,
			};
		}
		({ completeness } = page);
		items.push(...page.items);
		if (page.items.some(isKnown)) {
			return { items, completeness, isApart: false };
		}
		if (count === mostPages && completeness.kind === 'more') {
			return { items, completeness, isApart: true };
		}
	}
}
