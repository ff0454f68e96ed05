import type { Browser } from 'playwright-core';
import { startBrowser } from '../harness/browser.ts';
import { openTicketPage, type PageInBrowser, type PageWish } from './ticketPageInBrowser.ts';

/** Opens ticket pages in one browser for the suite in which it is called; each page is closed when its test is over. */
export function ticketPages(): (wish: PageWish) => Promise<PageInBrowser> {
	let browser: Browser;
	const opened: PageInBrowser[] = [];

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
		const page = await openTicketPage(browser, wish);
		opened.push(page);
		return page;
	};
}
