import type { Page, Pages } from './page.ts';

/** All pages of a list as one page. */
export async function collectPages<T>(list: Pages<T>): Promise<Page<T>> {
	let whole: Page<T> = { items: [], seen: 0, completeness: { kind: 'complete' } };
	for await (const { items, seen, completeness } of list) {
		whole = { items: [...whole.items, ...items], seen, completeness };
	}
	return whole;
}
