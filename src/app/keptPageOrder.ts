import type * as vscode from 'vscode';
import type { PageOrder } from '../features/tickets/ticketsParts.ts';

const key = 'forge.ticketPage.order';

/** Which way timelines run, kept for all pages and windows. */
export function keptPageOrder(storage: vscode.Memento): PageOrder {
	return {
		now: () => (storage.get<unknown>(key) === 'newest' ? 'newest' : 'oldest'),
		async keep(order) {
			await storage.update(key, order);
		},
	};
}
