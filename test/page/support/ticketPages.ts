import { pagesInOneBrowser } from './pagesInOneBrowser.ts';
import { openTicketPage, type PageInBrowser, type PageWish } from './ticketPageInBrowser.ts';

/** Opens ticket pages in the browser that all suites share, and closes each after its test. */
export function ticketPages(): (wish: PageWish) => Promise<PageInBrowser> {
	return pagesInOneBrowser(openTicketPage);
}
