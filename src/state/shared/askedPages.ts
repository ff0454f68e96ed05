import type { Pages } from '../../forge/page.ts';

/** The same pages; `asks` is called each time that one is about to be asked for. */
export async function* askedPages<T>(pages: Pages<T>, asks: () => void): Pages<T> {
	asks();
	for await (const page of pages) {
		yield page;
		if (page.completeness.kind === 'more') {
			asks();
		}
	}
}
