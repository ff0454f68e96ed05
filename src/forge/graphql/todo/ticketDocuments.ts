import * as v from 'valibot';
import { timestamp } from '../../answers/timestamp.ts';
import type { TicketInFull } from '../../port/forge.ts';
import type { ShortTracker } from '../../port/tracker.ts';
import { cursorPage } from '../door/listed.ts';
import { mutation, pageOf, query } from '../door/operations.ts';
import { partly } from '../door/partial.ts';
import { id } from '../door/variables.ts';
import {
	eventFields,
	eventOfTicket,
	eventsWithout,
	ticketFields,
	ticketInTracker,
	trackerAround,
	trackerAroundFields,
	type TrackerWithIds,
} from './todoAnswers.ts';

const reading = { area: 'todo', scope: 'tickets:read' } as const;
const writing = { area: 'todo', scope: 'tickets:write' } as const;
const inTracker = ['user(username: $owner): User', 'tracker(name: $name): Tracker'];

/** A page of a tracker's tickets, highest number first. */
export const listTickets = query(
	reading,
	['Tickets($owner: String!, $name: String!, $cursor: Cursor)', ...inTracker],
	`${trackerAroundFields}
	tickets(cursor: $cursor) { # TicketCursor
		${pageOf('Ticket', ticketFields)}
	}`,
	v.pipe(
		v.intersect([trackerAround, v.object({ tickets: cursorPage(ticketInTracker) })]),
		v.transform(({ tickets: { items, ...page }, ...around }) => ({
			page: { ...page, items: items.map((each) => each.in(around)) },
			trackerId: around.id,
		})),
	),
);

const ticketWithTracker = v.pipe(
	v.intersect([ticketInTracker, v.object({ tracker: trackerAround })]),
	v.transform(({ tracker, ...read }) => ({
		ticket: read.in(tracker),
		trackerId: tracker.id,
	})),
);
const ticketWithTrackerFields = `${ticketFields}
	tracker { # Tracker
		${trackerAroundFields}
	}`;

/** A ticket with a page of its timeline, newest first. */
export const readTimeline = query(
	reading,
	['Timeline($owner: String!, $name: String!, $id: Int!, $cursor: Cursor)', ...inTracker, 'ticket(id: $id): Ticket'],
	`${ticketWithTrackerFields}
	events(cursor: $cursor) { # EventCursor
		${pageOf('Event', eventFields)}
	}`,
	v.pipe(
		v.intersect([ticketWithTracker, v.object({ events: cursorPage(eventOfTicket) })]),
		v.transform(({ events: { items, ...page }, ...whole }) => ({
			...whole,
			page: { ...page, items: items.map((each) => each.of(whole.ticket)) },
		})),
	),
	eventsWithout,
);

export const readTicket = query(
	{ ...reading, within: readTimeline.document },
	['Ticket($owner: String!, $name: String!, $id: Int!)', ...inTracker, 'ticket(id: $id): Ticket'],
	ticketWithTrackerFields,
	ticketWithTracker,
);

const ticketInFull = v.pipe(
	v.intersect([ticketInTracker, v.object({ events: cursorPage(eventOfTicket) })]),
	v.transform(({ events: { items, next, isPart }, in: inTracker }) => ({
		of(around: TrackerWithIds<ShortTracker>): TicketInFull {
			const ticket = inTracker(around);
			return {
				ticket,
				timeline: {
					items: items.map((each) => each.of(ticket)),
					completeness: next === undefined && !isPart ? { kind: 'complete' } : { kind: 'more', total: undefined },
				},
			};
		},
	})),
);

/** A page of a tracker's tickets, each with the first page of its timeline. */
export const listTicketsInFull = query(
	{ ...reading, isSlow: true },
	['TicketsInFull($owner: String!, $name: String!, $cursor: Cursor)', ...inTracker],
	`${trackerAroundFields}
	tickets(cursor: $cursor) { # TicketCursor
		cursor
		results { # Ticket
			${ticketFields}
			events { # EventCursor
				${pageOf('Event', eventFields)}
			}
		}
	}`,
	v.pipe(
		v.intersect([trackerAround, v.object({ tickets: cursorPage(ticketInFull) })]),
		v.transform(({ tickets: { items, ...page }, ...around }) => ({
			page: { ...page, items: items.map((each) => each.of(around)) },
			trackerId: around.id,
		})),
	),
	eventsWithout,
);

/** At two fields each, below the servers' limit (docs/protocol.md#many-things-in-one-question). */
const mostNumbers = 98;
const places = Array.from({ length: mostNumbers }, (_, at) => at);

/** Update times of tickets: the variables `n0` … are their numbers, the fields `t0` … the results. */
export const readChangeTimes = query(
	{ ...reading, mostAtOnce: mostNumbers },
	[`ChangeTimes($owner: String!, $name: String!, ${places.map((at) => `$n${at}: Int!`).join(', ')})`, ...inTracker],
	places.map((at) => `t${at}: ticket(id: $n${at}) { # Ticket\nupdated }`).join('\n'),
	v.objectWithRest(partly, v.nullable(v.object({ updated: timestamp }))),
);

export const submitTicket = mutation(
	writing,
	'SubmitTicket($trackerId: Int!, $input: SubmitTicketInput!)',
	'submitTicket(trackerId: $trackerId, input: $input): Ticket',
);

export const updateTicketText = mutation(
	writing,
	'UpdateTicket($trackerId: Int!, $ticketId: Int!, $input: UpdateTicketInput!)',
	'updateTicket(trackerId: $trackerId, ticketId: $ticketId, input: $input): Ticket',
);

export const deleteTicket = mutation(
	writing,
	'DeleteTicket($trackerId: Int!, $ticketId: Int!)',
	'deleteTicket(trackerId: $trackerId, ticketId: $ticketId): Ticket',
);

export const submitComment = mutation(
	writing,
	'SubmitComment($trackerId: Int!, $ticketId: Int!, $input: SubmitCommentInput!)',
	'submitComment(trackerId: $trackerId, ticketId: $ticketId, input: $input): Event',
);

export const updateTicketStatus = mutation(
	writing,
	'UpdateTicketStatus($trackerId: Int!, $ticketId: Int!, $input: UpdateStatusInput!)',
	'updateTicketStatus(trackerId: $trackerId, ticketId: $ticketId, input: $input): Event',
);

/** The service's id of a user; `undefined` for a user that the service doesn't know. */
export const findPerson = query(
	reading,
	['Person($name: String!)', 'user(username: $name): User'],
	'id',
	v.pipe(
		v.object({ id }),
		v.transform((wire) => wire.id),
	),
);
