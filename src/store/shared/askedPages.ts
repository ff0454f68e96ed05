import type { Pages } from 'sourcehut/port/page.ts';

/** Calls `asks` before each page request. */
export async function* askedPages<T>(pages: Pages<T>, asks: () => void): Pages<T> {
	asks();
	for await (const page of pages) {
		yield page;
		if (page.completeness.kind === 'more') {
			asks();
		}
	}
}
