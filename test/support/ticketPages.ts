import { pagesInOneBrowser } from './pagesInOneBrowser.ts';
import { openTicketPage, type PageInBrowser, type PageWish } from './ticketPageInBrowser.ts';

/** Opens ticket pages in the browser that all suites share; each page is closed when its test is over. */
export function ticketPages(): (wish: PageWish) => Promise<PageInBrowser> {
	return pagesInOneBrowser(openTicketPage);
}
