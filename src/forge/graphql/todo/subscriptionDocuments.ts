import * as v from 'valibot';
import { below } from '../door/below.ts';
import { graphql } from '../door/document.ts';
import { id } from '../door/variables.ts';

const reading = { area: 'todo', scope: 'tickets:read' } as const;
const writing = { area: 'todo', scope: 'tickets:write' } as const;

const subscription = v.pipe(
	v.object({ subscription: v.nullable(v.object({ id })) }),
	v.transform((wire) => wire.subscription !== null),
);
const made = v.object({ id });

export const trackerSubscription = {
	...reading,
	document: graphql(`
		query TrackerSubscription($owner: String!, $name: String!) {
			# Query
			user(username: $owner) {
				# User
				tracker(name: $name) {
					# Tracker
					subscription {
						# TrackerSubscription
						id
					}
				}
			}
		}
	`),
	read: below(['user', 'tracker'], subscription),
};

export const ticketSubscription = {
	...reading,
	document: graphql(`
		query TicketSubscription($owner: String!, $name: String!, $id: Int!) {
			# Query
			user(username: $owner) {
				# User
				tracker(name: $name) {
					# Tracker
					ticket(id: $id) {
						# Ticket
						subscription {
							# TicketSubscription
							id
						}
					}
				}
			}
		}
	`),
	read: below(['user', 'tracker', 'ticket'], subscription),
};

export const trackerSubscribe = {
	...writing,
	document: graphql(`
		mutation TrackerSubscribe($trackerId: Int!) {
			# Mutation
			trackerSubscribe(trackerId: $trackerId) {
				# TrackerSubscription
				id
			}
		}
	`),
	read: below(['trackerSubscribe'], made),
};

/**
 * Keeps the subscriptions to the tracker's tickets: `tickets: true` fails with an internal error
 * (docs/protocol.md#ticket-subscriptions).
 */
export const trackerUnsubscribe = {
	...writing,
	document: graphql(`
		mutation TrackerUnsubscribe($trackerId: Int!) {
			# Mutation
			trackerUnsubscribe(trackerId: $trackerId, tickets: false) {
				# TrackerSubscription
				id
			}
		}
	`),
	read: below(['trackerUnsubscribe'], made),
};

export const ticketSubscribe = {
	...writing,
	document: graphql(`
		mutation TicketSubscribe($trackerId: Int!, $ticketId: Int!) {
			# Mutation
			ticketSubscribe(trackerId: $trackerId, ticketId: $ticketId) {
				# TicketSubscription
				id
			}
		}
	`),
	read: below(['ticketSubscribe'], made),
};

export const ticketUnsubscribe = {
	...writing,
	document: graphql(`
		mutation TicketUnsubscribe($trackerId: Int!, $ticketId: Int!) {
			# Mutation
			ticketUnsubscribe(trackerId: $trackerId, ticketId: $ticketId) {
				# TicketSubscription
				id
			}
		}
	`),
	read: below(['ticketUnsubscribe'], made),
};
