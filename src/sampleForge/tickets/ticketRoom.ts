import type { Context } from '../shared/area.ts';
import { createKeptPages } from '../shared/keptPages.ts';
import { createTicketAccess } from './ticketAccess.ts';
import { createTicketHooks } from './ticketHooks.ts';
import { createTicketShapes } from './ticketShapes.ts';
import { createTicketStore } from './ticketStore.ts';

/** Shared state of the ticket area's routes. */
export type TicketRoom = ReturnType<typeof openTicketRoom>;

/** Without trackers. */
export function openTicketRoom(context: Context) {
	const store = createTicketStore(context.users);
	const shapes = createTicketShapes(context.dialect);
	return {
		context,
		store,
		access: createTicketAccess(context, store),
		shapes,
		hooks: createTicketHooks(context, shapes),
		pages: createKeptPages(),
	};
}
