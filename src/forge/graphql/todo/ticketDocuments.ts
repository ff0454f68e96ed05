import * as v from 'valibot';
import { below } from '../door/below.ts';
import { cursorPage } from '../door/cursorPage.ts';
import { graphql } from '../door/document.ts';
import { id } from '../door/variables.ts';
import { eventOfTicket, ticketInTracker, trackerAround } from './todoAnswers.ts';
import { eventFields, eventsWithout, ticketFields, trackerAroundFields } from './todoPieces.ts';

const reading = { area: 'todo', scope: 'tickets:read' } as const;
const writing = { area: 'todo', scope: 'tickets:write' } as const;

/** Writes select only the id: another field may fail after the write succeeded. */
const written = v.object({ id });

/**
 * A page of a tracker's tickets, highest number first; `undefined` if the tracker doesn't exist or the account can't
 * see it.
 */
export const listTickets = {
	...reading,
	document: graphql(`query Tickets($owner: String!, $name: String!, $cursor: Cursor) { # Query
		user(username: $owner) { # User
			tracker(name: $name) { # Tracker
				${trackerAroundFields}
				tickets(cursor: $cursor) { # TicketCursor
					cursor
					results { # Ticket
						${ticketFields}
					}
				}
			}
		}
	}`),
	read: below(
		['user', 'tracker'],
		v.pipe(
			v.intersect([trackerAround, v.object({ tickets: cursorPage(ticketInTracker) })]),
			v.transform(({ tickets: { items, ...page }, ...around }) => ({
				page: { ...page, items: items.map((each) => each.in(around)) },
				trackerId: around.id,
			})),
		),
	),
};

const ticketWithTracker = v.pipe(
	v.intersect([ticketInTracker, v.object({ tracker: trackerAround })]),
	v.transform(({ tracker, ...read }) => ({
		ticket: read.in(tracker),
		trackerId: tracker.id,
	})),
);

const wholeTicket = `{ # Ticket
	${ticketFields}
	tracker { # Tracker
		${trackerAroundFields}
	}
}`;

const timeline = v.pipe(
	v.intersect([ticketWithTracker, v.object({ events: cursorPage(eventOfTicket) })]),
	v.transform(({ events: { items, ...page }, ...whole }) => ({
		...whole,
		page: { ...page, items: items.map((each) => each.of(whole.ticket)) },
	})),
);

/** A ticket with a page of its timeline, newest first. */
export const readTimeline = {
	...reading,
	document: graphql(
		`query Timeline($owner: String!, $name: String!, $id: Int!, $cursor: Cursor) { # Query
		user(username: $owner) { # User
			tracker(name: $name) { # Tracker
				ticket(id: $id) { # Ticket
					${ticketFields}
					tracker { # Tracker
						${trackerAroundFields}
					}
					events(cursor: $cursor) { # EventCursor
						cursor
						results { # Event
							${eventFields}
						}
					}
				}
			}
		}
	}`,
		eventsWithout,
	),
	read: below(['user', 'tracker', 'ticket'], timeline),
};

/** `undefined` if the ticket doesn't exist or the account can't see it. */
export const readTicket = {
	...reading,
	within: readTimeline.document,
	document: graphql(`query Ticket($owner: String!, $name: String!, $id: Int!) { # Query
		user(username: $owner) { # User
			tracker(name: $name) { # Tracker
				ticket(id: $id) ${wholeTicket}
			}
		}
	}`),
	read: below(['user', 'tracker', 'ticket'], ticketWithTracker),
};

export const submitTicket = {
	...writing,
	document: graphql(`
		mutation SubmitTicket($trackerId: Int!, $input: SubmitTicketInput!) {
			# Mutation
			submitTicket(trackerId: $trackerId, input: $input) {
				# Ticket
				id
			}
		}
	`),
	read: below(['submitTicket'], written),
};

export const updateTicketText = {
	...writing,
	document: graphql(`
		mutation UpdateTicket($trackerId: Int!, $ticketId: Int!, $input: UpdateTicketInput!) {
			# Mutation
			updateTicket(trackerId: $trackerId, ticketId: $ticketId, input: $input) {
				# Ticket
				id
			}
		}
	`),
	read: below(['updateTicket'], written),
};

export const deleteTicket = {
	...writing,
	document: graphql(`
		mutation DeleteTicket($trackerId: Int!, $ticketId: Int!) {
			# Mutation
			deleteTicket(trackerId: $trackerId, ticketId: $ticketId) {
				# Ticket
				id
			}
		}
	`),
	read: below(['deleteTicket'], written),
};

export const submitComment = {
	...writing,
	document: graphql(`
		mutation SubmitComment($trackerId: Int!, $ticketId: Int!, $input: SubmitCommentInput!) {
			# Mutation
			submitComment(trackerId: $trackerId, ticketId: $ticketId, input: $input) {
				# Event
				id
			}
		}
	`),
	read: below(['submitComment'], written),
};

export const updateTicketStatus = {
	...writing,
	document: graphql(`
		mutation UpdateTicketStatus($trackerId: Int!, $ticketId: Int!, $input: UpdateStatusInput!) {
			# Mutation
			updateTicketStatus(trackerId: $trackerId, ticketId: $ticketId, input: $input) {
				# Event
				id
			}
		}
	`),
	read: below(['updateTicketStatus'], written),
};

/** The service's id of a user; `undefined` for a user that the service doesn't know. */
export const findPerson = {
	...reading,
	document: graphql(`
		query Person($name: String!) {
			# Query
			user(username: $name) {
				# User
				id
			}
		}
	`),
	read: below(['user', 'id'], id),
};
