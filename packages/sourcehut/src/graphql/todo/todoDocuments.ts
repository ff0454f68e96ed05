import * as v from 'valibot';
import { timestamp } from '../../answers/timestamp.ts';
import type { TicketInFull } from '../../port/forge.ts';
import { cursorPage } from '../transport/listed.ts';
import { mutation, ofOwner, query } from '../transport/operations.ts';
import { partly } from '../transport/partial.ts';
import { aliased, selected, withArguments } from '../transport/selection.ts';
import { id } from '../transport/variables.ts';
import {
	eventOfTicket,
	eventsWithout,
	inTracker,
	label,
	ticketInTracker,
	tracker,
	trackerAround,
	type TrackerAround,
} from './todoAnswers.ts';

const readsTrackers = { area: 'todo', scope: 'trackers:read' } as const;
const writesTrackers = { area: 'todo', scope: 'trackers:write' } as const;
const readsTickets = { area: 'todo', scope: 'tickets:read' } as const;
const writesTickets = { area: 'todo', scope: 'tickets:write' } as const;

const inTicket = [...inTracker, 'ticket(id: $id Int!): Ticket'];
const fromCursor = '(cursor: $cursor Cursor)';

/** A user's trackers; `undefined` for a user that the service doesn't know. */
export const listTrackers = query(readsTrackers, 'Trackers', [ofOwner, `trackers${fromCursor}`], cursorPage(tracker));
export const readTracker = query(readsTrackers, 'Tracker', inTracker, tracker);
export const createTracker = mutation(
	writesTrackers,
	'createTracker(name: $name String!, description: $description String, visibility: $visibility Visibility!): Tracker',
);
export const updateTracker = mutation(
	writesTrackers,
	'updateTracker(id: $id Int!, input: $input TrackerInput!): Tracker',
);
export const deleteTracker = mutation(writesTrackers, 'deleteTracker(id: $id Int!): Tracker');

export const listLabels = query(readsTrackers, 'Labels', [...inTracker, `labels${fromCursor}`], cursorPage(label));
/** Finds a label by name; `undefined` if the tracker has none. */
export const findLabel = query(readsTrackers, 'Label', [...inTracker, 'label(name: $label String!)'], label);
export const createLabel = mutation(
	writesTrackers,
	`createLabel(
		trackerId: $trackerId Int!, name: $name String!,
		foregroundColor: $text String!, backgroundColor: $background String!
	): Label`,
);
export const updateLabel = mutation(
	writesTrackers,
	'updateLabel(id: $id Int!, input: $input UpdateLabelInput!): Label',
);
export const deleteLabel = mutation(writesTrackers, 'deleteLabel(id: $id Int!): Label');

/** A page of a tracker's tickets, highest number first. */
export const listTickets = query(
	readsTickets,
	'Tickets',
	inTracker,
	v.pipe(
		v.intersect([trackerAround, v.object({ tickets: withArguments(fromCursor, cursorPage(ticketInTracker)) })]),
		v.transform(({ tickets: { items, ...page }, ...around }) => ({
			...page,
			items: items.map((each) => each.in(around)),
		})),
	),
);

const ticketWithTracker = v.pipe(
	v.intersect([ticketInTracker, v.object({ tracker: v.intersect([trackerAround, v.object({ id })]) })]),
	v.transform(({ tracker: around, ...read }) => ({
		ticket: read.in(around),
		trackerId: around.id,
	})),
);

/** A ticket with a page of its timeline, newest first. */
export const readTimeline = query(
	readsTickets,
	'Timeline',
	inTicket,
	v.pipe(
		v.intersect([ticketWithTracker, v.object({ events: withArguments(fromCursor, cursorPage(eventOfTicket)) })]),
		v.transform(({ events: { items, ...page }, ...whole }) => ({
			...whole,
			page: { ...page, items: items.map((each) => each.of(whole.ticket)) },
		})),
	),
	eventsWithout,
);

export const readTicket = query(
	{ ...readsTickets, within: readTimeline.document },
	'Ticket',
	inTicket,
	ticketWithTracker,
);

const ticketInFull = v.pipe(
	v.intersect([ticketInTracker, v.object({ events: cursorPage(eventOfTicket) })]),
	v.transform(({ events: { items, next, isPart }, in: inItsTracker }) => ({
		of(around: TrackerAround): TicketInFull {
			const ticket = inItsTracker(around);
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
	{ ...readsTickets, isSlow: true },
	'TicketsInFull',
	inTracker,
	v.pipe(
		v.intersect([trackerAround, v.object({ tickets: withArguments(fromCursor, cursorPage(ticketInFull)) })]),
		v.transform(({ tickets: { items, ...page }, ...around }) => ({
			...page,
			items: items.map((each) => each.of(around)),
		})),
	),
	eventsWithout,
);

/** At two fields each, below the servers' limit (docs/protocol.md#many-things-in-one-question). */
const mostNumbers = 98;

/** Update times of tickets: the variables `n0` … are their numbers, the fields `t0` … the results. */
export const readChangeTimes = query(
	{ ...readsTickets, mostAtOnce: mostNumbers },
	'ChangeTimes',
	inTracker,
	aliased(
		Array.from({ length: mostNumbers }, (_, at) => `t${at}: ticket(id: $n${at} Int!): Ticket`),
		v.nullable(v.object({ updated: timestamp })),
		partly,
	),
);

export const submitTicket = mutation(
	writesTickets,
	'submitTicket(trackerId: $trackerId Int!, input: $input SubmitTicketInput!): Ticket',
);
export const updateTicketText = mutation(
	writesTickets,
	'updateTicket(trackerId: $trackerId Int!, ticketId: $ticketId Int!, input: $input UpdateTicketInput!): Ticket',
);
export const deleteTicket = mutation(
	writesTickets,
	'deleteTicket(trackerId: $trackerId Int!, ticketId: $ticketId Int!): Ticket',
);
export const submitComment = mutation(
	writesTickets,
	'submitComment(trackerId: $trackerId Int!, ticketId: $ticketId Int!, input: $input SubmitCommentInput!): Event',
);
export const updateTicketStatus = mutation(
	writesTickets,
	'updateTicketStatus(trackerId: $trackerId Int!, ticketId: $ticketId Int!, input: $input UpdateStatusInput!): Event',
);

/** The service's id of a user; `undefined` for a user that the service doesn't know. */
export const findPerson = query(
	readsTickets,
	'Person',
	['user(username: $name String!): User'],
	v.pipe(
		v.object({ id }),
		v.transform((wire) => wire.id),
	),
);

function subscriptionOf(type: string) {
	return v.pipe(
		v.object({ subscription: v.nullable(selected(type, { id })) }),
		v.transform((wire) => wire.subscription !== null),
	);
}

/** Subscriptions to the mails of a tracker or a ticket. */
export const subscriptions = {
	readOfTracker: query(readsTickets, 'TrackerSubscription', inTracker, subscriptionOf('TrackerSubscription')),
	readOfTicket: query(readsTickets, 'TicketSubscription', inTicket, subscriptionOf('TicketSubscription')),
	toTracker: mutation(writesTickets, 'trackerSubscribe(trackerId: $trackerId Int!): TrackerSubscription'),
	/**
	 * Keeps the subscriptions to the tracker's tickets: `tickets: true` fails with an internal error
	 * (docs/protocol.md#ticket-subscriptions).
	 */
	fromTracker: mutation(
		writesTickets,
		'trackerUnsubscribe(trackerId: $trackerId Int!, tickets: false): TrackerSubscription',
	),
	toTicket: mutation(
		writesTickets,
		'ticketSubscribe(trackerId: $trackerId Int!, ticketId: $ticketId Int!): TicketSubscription',
	),
	fromTicket: mutation(
		writesTickets,
		'ticketUnsubscribe(trackerId: $trackerId Int!, ticketId: $ticketId Int!): TicketSubscription',
	),
} as const;
