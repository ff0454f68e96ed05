import type { PageOrder } from '../../features/tickets/parts/ticketsParts.ts';
import type { NameStorage } from '../../storage/nameStorage.ts';

const key = 'forge.ticketPage.order';

/** Direction of timelines, stored for all pages and windows. */
export function keptPageOrder(storage: NameStorage): PageOrder {
	return {
		now: () => (storage.get(key) === 'newest' ? 'newest' : 'oldest'),
		async keep(order) {
			await storage.update(key, order);
		},
	};
}
