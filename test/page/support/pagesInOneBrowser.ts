import type { OpenedPage } from '../../support/pageInBrowser.ts';
import { keepFailure } from './pagePictures.ts';
import { pageTabs, type PageTabs } from '../../support/pageTabs.ts';

/**
 * Opens pages in the browser that all suites share, and closes each after its test. Keeps the pages' content of a
 * failed test.
 */
export function pagesInOneBrowser<Wish, Opened extends OpenedPage>(
	open: (tabs: PageTabs, wish: Wish) => Promise<Opened>,
): (wish: Wish) => Promise<Opened> {
	const opened: Opened[] = [];
	let tabs: PageTabs;

	suiteSetup(async () => {
		tabs = await pageTabs();
	});
	teardown(async function () {
		const pages = opened.splice(0);
		const test = this.currentTest;
		const isClean = test?.state !== 'failed';
		if (!isClean) {
			await keepFailure(test.titlePath(), pages);
		}
		await Promise.all(pages.map((each) => each.close(isClean)));
	});

	return async (wish) => {
		const page = await open(tabs, wish);
		opened.push(page);
		return page;
	};
}
