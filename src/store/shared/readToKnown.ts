import { atTheEnd, type Completeness, type Pages } from '../../forge/port/page.ts';
import type { Listing } from './listing.ts';

/** Maximum pages to read. */
const mostPages = 20;

/**
 * Reads pages until one contains a known item, the list ends, or the limit is reached. `isApart`: a gap remains, since
 * the limit came first.
 */
export async function readToKnown<T>(
	pages: Pages<T>,
	isKnown: (item: T) => boolean,
): Promise<Listing<T> & { readonly isApart: boolean }> {
	const items: T[] = [];
	let completeness: Completeness = { kind: 'complete' };
	for (let count = 1; ; count++) {
		const { value: page, done } = await pages.next();
		if (done) {
			return { items, completeness: atTheEnd(completeness), isApart: false };
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
