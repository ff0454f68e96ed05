import type { Context } from '../shared/area.ts';
import type { KeptPages } from '../shared/keptPages.ts';
import type { TicketAccess } from './ticketAccess.ts';
import type { TicketHooks } from './ticketHooks.ts';
import type { TicketShapes } from './ticketShapes.ts';
import type { TicketStore } from './ticketStore.ts';

/** Shared state of the ticket area's routes. */
export interface TicketRoom {
	readonly context: Context;
	readonly store: TicketStore;
	readonly access: TicketAccess;
	readonly shapes: TicketShapes;
	readonly hooks: TicketHooks;
	readonly pages: KeptPages;
}
