import type { ApiCall, Area, Context } from '../shared/area.ts';
import { notFound } from '../shared/answers.ts';
import { ownerOf, userRoutes } from '../identity/users.ts';
import { createKeptPages } from '../shared/keptPages.ts';
import { createTicketAccess } from './ticketAccess.ts';
import { createTicketHooks, ticketTarget, trackerTarget, userTarget } from './ticketHooks.ts';
import { ticketPages } from './ticketPages.ts';
import type { TicketRoom } from './ticketRoom.ts';
import { ticketRoutes } from './ticketRoutes.ts';
import { createTicketShapes } from './ticketShapes.ts';
import { createTicketStore } from './ticketStore.ts';
import { trackerRoutes } from './trackerRoutes.ts';

/** The ticket area. */
export interface TicketArea extends Area {
	readonly room: TicketRoom;
}

/** The ticket area, without trackers. */
export function createTicketArea(context: Context): TicketArea {
	const store = createTicketStore(context.users);
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
		room,
		routes: [
			...userRoutes(context),
			...trackerRoutes(room),
			...ticketRoutes(room),
			...hookRoutes(room),
			...ticketPages(room),
		],
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
