import type { ApiCall, Area, Context } from '../area.ts';
import { notFound } from '../answers.ts';
import { ownerOf, userRoutes } from '../users.ts';
import { createKeptPages } from './keptPages.ts';
import { createTicketAccess } from './ticketAccess.ts';
import { ticketControl } from './ticketControl.ts';
import { createTicketHooks, ticketTarget, trackerTarget, userTarget } from './ticketHooks.ts';
import { ticketPages } from './ticketPages.ts';
import { ticketRoutes } from './ticketRoutes.ts';
import { createTicketShapes } from './ticketShapes.ts';
import { createTicketStore } from './ticketStore.ts';
import { tellTicketWorld } from './world/ticketWorld.ts';
import { trackerRoutes } from './trackerRoutes.ts';
import type { TicketRoom } from './ticketRoom.ts';

/** The ticket area with its sample world. */
export function createTicketArea(context: Context): Area {
	const store = createTicketStore(context.users);
	tellTicketWorld(store, context.users, context.sizes.tickets);
	const shapes = createTicketShapes(context.dialect);
	const room: TicketRoom = {
		context,
		store,
		access: createTicketAccess(context, store),
		shapes,
		hooks: createTicketHooks(context, shapes),
		pages: createKeptPages(),
	};
	return {
		routes: [
			...userRoutes(context),
			...trackerRoutes(room),
			...ticketRoutes(room),
			...hookRoutes(room),
			...ticketPages(room),
		],
		control: ticketControl(room),
	};
}

function hookRoutes({ context, access }: TicketRoom): Area['routes'] {
	const tracker = '/api/user/:username/trackers/:tracker';
	const own = (call: ApiCall): string => {
		if (ownerOf(context, call) !== call.user) {
			throw notFound();
		}
		return userTarget(call.user);
	};
	return [
		...context.webhooks.routes('todoUser', '/api/user', own),
		...context.webhooks.routes('todoTracker', tracker, (call) => trackerTarget(access.tracker(call, 'browse'))),
		...context.webhooks.routes('todoTicket', `${tracker}/tickets/:ticket`, (call) =>
			ticketTarget(access.ticket(call, 'crash')),
		),
	];
}
