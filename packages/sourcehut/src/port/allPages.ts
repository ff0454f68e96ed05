import { ForgeError } from './forgeError.ts';
import type { Pages } from './page.ts';

/**
 * The same pages, for searches. Throws `incomplete` after the last if the forge lists only a part, so a search never
 * reports an item as missing.
 */
export async function* allPages<T>(pages: Pages<T>): Pages<T> {
	let isPart = false;
	for await (const page of pages) {
		isPart = page.completeness.kind === 'more';
		yield page;
	}
	if (isPart) {
		throw new ForgeError({ kind: 'incomplete' });
	}
}
