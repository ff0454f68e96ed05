import { listOf, nothing, one, oneOrNothing } from './answers.ts';
import { isImplied, rowsOf } from './endpoint.ts';
import { ticket } from './wire/ticket.ts';
import { ticketEvent, ticketUpdate } from './wire/ticketEvent.ts';
import { label, tracker } from './wire/tracker.ts';

const row = rowsOf('todo');

/** Ticket-tracker area (docs/protocol.md#endpoints). */
// oxfmt-ignore
export const trackerEndpoints = {
	trackers: row('GET /api/user/:username/trackers', '/api/trackers', 'trackers:read', listOf(tracker)),
	create: row('POST /api/trackers', isImplied, 'trackers:write', one(tracker)),
	tracker: row('GET /api/user/:username/trackers/:tracker-name', '/api/trackers/:tracker-name', 'trackers:read', one(tracker)),
	update: row('PUT /api/user/:username/trackers/:tracker-name', '/api/trackers/:tracker-name', 'trackers:write', oneOrNothing(tracker)),
	remove: row('DELETE /api/trackers/:tracker-name', isImplied, 'trackers:write', nothing),
	labels: row('GET /api/user/:username/trackers/:tracker-name/labels', '/api/trackers/:tracker-name/labels', 'trackers:read', listOf(label)),
	tickets: row('GET /api/user/:username/trackers/:tracker-name/tickets', '/api/trackers/:tracker-name/tickets', 'tickets:read', listOf(ticket)),
	submit: row('POST /api/user/:username/trackers/:tracker-name/tickets', '/api/trackers/:tracker-name/tickets', 'tickets:write', one(ticket)),
	ticket: row('GET /api/user/:username/trackers/:tracker-name/tickets/:ticket-id', '/api/trackers/:tracker-name/tickets/:ticket-id', 'tickets:read', one(ticket)),
	updateTicket: row('PUT /api/user/:username/trackers/:tracker-name/tickets/:ticket-id', '/api/trackers/:tracker-name/tickets/:ticket-id', 'tickets:write', one(ticketUpdate)),
	events: row('GET /api/user/:username/trackers/:tracker-name/tickets/:ticket-id/events', '/api/trackers/:tracker-name/tickets/:ticket-id/events', 'tickets:read', listOf(ticketEvent)),
} as const;
