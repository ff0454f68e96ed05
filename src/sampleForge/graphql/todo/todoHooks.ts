import type { User } from '../../shared/area.ts';
import type { Ticket, Tracker } from '../../tickets/ticketModel.ts';
import { createHookBook, type HookBook } from '../hookBook.ts';
import type { TakenEvents } from '../hooks.ts';

/** Webhooks of the ticket service, by kind. */
export interface TodoHooks {
	readonly user: HookBook<User>;
	readonly tracker: HookBook<Tracker>;
	readonly ticket: HookBook<Ticket>;
}

export type HookKind = keyof TodoHooks;

export function createTodoHooks(): TodoHooks {
	return { user: createHookBook(), tracker: createHookBook(), ticket: createHookBook() };
}

const ofTracker = { TRACKER_UPDATE: 'TRACKERS', TRACKER_DELETED: 'TRACKERS' } as const;
const ofTicket = { TICKET_UPDATE: 'TICKETS', TICKET_DELETED: 'TICKETS', EVENT_CREATED: 'EVENTS' } as const;

/** Supported events by kind. */
export const takenEvents: Readonly<Record<HookKind, TakenEvents>> = {
	user: { TRACKER_CREATED: 'TRACKERS', ...ofTracker, TICKET_CREATED: 'TICKETS' },
	tracker: {
		...ofTracker,
		LABEL_CREATED: 'TRACKERS',
		LABEL_UPDATE: 'TRACKERS',
		LABEL_DELETED: 'TRACKERS',
		TICKET_CREATED: 'TICKETS',
		...ofTicket,
	},
	ticket: ofTicket,
};
