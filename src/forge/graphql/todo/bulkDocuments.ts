import * as v from 'valibot';
import { timestamp } from '../../answers/timestamp.ts';
import type { TicketInFull } from '../../port/forge.ts';
import type { ShortTracker } from '../../port/tracker.ts';
import { below } from '../door/below.ts';
import { cursorPage } from '../door/cursorPage.ts';
import { graphql } from '../door/document.ts';
import { partly } from '../door/partial.ts';
import { eventOfTicket, ticketInTracker, trackerAround, type TrackerWithIds } from './todoAnswers.ts';
import { mostNumbers } from './mostNumbers.ts';
import { eventFields, eventsWithout, ticketFields, trackerAroundFields } from './todoPieces.ts';

const reading = { area: 'todo', scope: 'tickets:read' } as const;
const slowReading = { ...reading, isSlow: true } as const;

const timelineFields = `events { # EventCursor
	cursor
	results { # Event
		${eventFields}
	}
}`;

const fullTicket = v.pipe(
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
export const listTicketsInFull = {
	...slowReading,
	document: graphql(
		`query TicketsInFull($owner: String!, $name: String!, $cursor: Cursor) { # Query
		user(username: $owner) { # User
			tracker(name: $name) { # Tracker
				${trackerAroundFields}
				tickets(cursor: $cursor) { # TicketCursor
					cursor
					results { # Ticket
						${ticketFields}
						${timelineFields}
					}
				}
			}
		}
	}`,
		eventsWithout,
	),
	read: below(
		['user', 'tracker'],
		v.pipe(
			v.intersect([trackerAround, v.object({ tickets: cursorPage(fullTicket) })]),
			v.transform(({ tickets: { items, ...page }, ...around }) => ({
				page: { ...page, items: items.map((each) => each.of(around)) },
				trackerId: around.id,
			})),
		),
	),
};

const places = Array.from({ length: mostNumbers }, (_, at) => at);

/** Update times of tickets: the variables `n0` … are their numbers, the fields `t0` … the results. */
export const readChangeTimes = {
	...reading,
	document: graphql(
		`query ChangeTimes($owner: String!, $name: String!, ${places.map((at) => `$n${at}: Int!`).join(', ')}) { # Query
		user(username: $owner) { # User
			tracker(name: $name) { # Tracker
				${places.map((at) => `t${at}: ticket(id: $n${at}) { # Ticket\nupdated }`).join('\n')}
			}
		}
	}`,
	),
	read: below(['user', 'tracker'], v.objectWithRest(partly, v.nullable(v.object({ updated: timestamp })))),
};
