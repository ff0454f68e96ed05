import type { Browser } from 'playwright-core';
import { startBrowser } from '../harness/browser.ts';

/** Opens pages in one browser for the suite in which it is called; each is closed when its test is over. */
export function pagesInOneBrowser<Wish, Opened extends { close(): Promise<void> }>(
	open: (browser: Browser, wish: Wish) => Promise<Opened>,
): (wish: Wish) => Promise<Opened> {
	let browser: Browser;
	const opened: Opened[] = [];

	suiteSetup(async () => {
		browser = await startBrowser();
	});
	teardown(async () => {
		await Promise.all(opened.splice(0).map((each) => each.close()));
	});
	suiteTeardown(async () => {
		await browser.close();
	});

	return async (wish) => {
		const page = await open(browser, wish);
		opened.push(page);
		return page;
	};
}
