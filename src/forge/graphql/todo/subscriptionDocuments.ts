import * as v from 'valibot';
import { mutation, query } from '../door/operations.ts';
import { id } from '../door/variables.ts';

const reading = { area: 'todo', scope: 'tickets:read' } as const;
const writing = { area: 'todo', scope: 'tickets:write' } as const;
const inTracker = ['user(username: $owner): User', 'tracker(name: $name): Tracker'];

const subscription = v.pipe(
	v.object({ subscription: v.nullable(v.object({ id })) }),
	v.transform((wire) => wire.subscription !== null),
);

export const trackerSubscription = query(
	reading,
	['TrackerSubscription($owner: String!, $name: String!)', ...inTracker],
	'subscription { # TrackerSubscription\nid }',
	subscription,
);

export const ticketSubscription = query(
	reading,
	['TicketSubscription($owner: String!, $name: String!, $id: Int!)', ...inTracker, 'ticket(id: $id): Ticket'],
	'subscription { # TicketSubscription\nid }',
	subscription,
);

export const trackerSubscribe = mutation(
	writing,
	'TrackerSubscribe($trackerId: Int!)',
	'trackerSubscribe(trackerId: $trackerId): TrackerSubscription',
);

/**
 * Keeps the subscriptions to the tracker's tickets: `tickets: true` fails with an internal error
 * (docs/protocol.md#ticket-subscriptions).
 */
export const trackerUnsubscribe = mutation(
	writing,
	'TrackerUnsubscribe($trackerId: Int!)',
	'trackerUnsubscribe(trackerId: $trackerId, tickets: false): TrackerSubscription',
);

export const ticketSubscribe = mutation(
	writing,
	'TicketSubscribe($trackerId: Int!, $ticketId: Int!)',
	'ticketSubscribe(trackerId: $trackerId, ticketId: $ticketId): TicketSubscription',
);

export const ticketUnsubscribe = mutation(
	writing,
	'TicketUnsubscribe($trackerId: Int!, $ticketId: Int!)',
	'ticketUnsubscribe(trackerId: $trackerId, ticketId: $ticketId): TicketSubscription',
);
