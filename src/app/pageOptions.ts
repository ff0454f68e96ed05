import type { KeptThreadLook } from '../features/lists/context/listsContext.ts';
import type { PageOrder } from '../features/tickets/context/ticketsContext.ts';
import type { NameStorage } from '../machine/storage/editorStorage.ts';

/* Display options of pages, stored for all pages and windows. */

const orderKey = 'forge.ticketPage.order';
const wrapKey = 'forge.threadPage.wrap';
const quotesKey = 'forge.threadPage.quotes';

/** Direction of timelines. */
export function keptPageOrder(storage: NameStorage): PageOrder {
	return {
		now: () => (storage.get(orderKey) === 'newest' ? 'newest' : 'oldest'),
		async keep(order) {
			await storage.update(orderKey, order);
		},
	};
}

/** Default: wrapped lines, folded quotes. */
export function keptThreadLook(storage: NameStorage): KeptThreadLook {
	return {
		now: () => ({
			areLinesWrapped: storage.get(wrapKey) !== false,
			areQuotesOpen: storage.get(quotesKey) === true,
		}),
		async keep({ areLinesWrapped, areQuotesOpen }) {
			await storage.update(wrapKey, areLinesWrapped);
			await storage.update(quotesKey, areQuotesOpen);
		},
	};
}
