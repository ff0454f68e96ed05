import * as v from 'valibot';
import { ticketEventKinds } from '../../port/ticket.ts';
import type { Comment, TicketEvent, TicketEventKind } from '../../port/ticket.ts';
import type { ChangedTicket } from '../../port/ticketRequest.ts';
import { wordOf } from '../../port/word.ts';
import { comment, resolution, shortTicket, status, ticket } from './ticket.ts';
import { timestamp } from '../../answers/timestamp.ts';
import { id } from './tracker.ts';
import { participant } from './user.ts';
import { extraOf } from './extra.ts';

const kinds = v.pipe(
	v.array(v.string()),
	v.transform((words): readonly TicketEventKind[] => words.map((word) => wordOf(ticketEventKinds, word))),
);

const ticketEventFields = {
	id,
	created: timestamp,
	event_type: kinds,
	old_status: v.nullish(status),
	old_resolution: v.nullish(resolution),
	new_status: v.nullish(status),
	new_resolution: v.nullish(resolution),
	user: v.nullish(participant),
	ticket: v.nullish(shortTicket),
	comment: v.nullish(comment),
	label: v.nullish(v.union([v.string(), v.array(v.string())])),
	by_user: v.nullish(participant),
	from_ticket: v.nullish(shortTicket),
};

/** Event resource (docs/protocol.md#ticket-events). */
export const ticketEvent = v.pipe(
	v.looseObject(ticketEventFields),
	v.transform((wire): TicketEvent => ({
		id: wire.id,
		createdMs: wire.created,
		kinds: wire.event_type,
		...changeOf(wire.event_type, {
			oldStatus: wire.old_status ?? undefined,
			newStatus: wire.new_status ?? undefined,
			oldResolution: wire.old_resolution ?? undefined,
			newResolution: wire.new_resolution ?? undefined,
		}),
		user: wire.user ?? undefined,
		ticket: wire.ticket ?? undefined,
		comment: ownComment(wire.event_type, wire.comment ?? undefined),
		labels: typeof wire.label === 'string' ? [wire.label] : (wire.label ?? []),
		byUser: wire.by_user ?? undefined,
		fromTicket: wire.from_ticket ?? undefined,
		...extraOf(wire, ticketEventFields),
	})),
);

export type Change = Pick<TicketEvent, 'oldStatus' | 'newStatus' | 'oldResolution' | 'newResolution'>;

/** With a status change, null means the first word of each vocabulary (docs/protocol.md#ticket-events). */
function changeOf(kinds: readonly string[], change: Change): Change {
	return kinds.includes('status_change')
		? {
				oldStatus: change.oldStatus ?? 'reported',
				newStatus: change.newStatus ?? 'reported',
				oldResolution: change.oldResolution ?? 'unresolved',
				newResolution: change.newResolution ?? 'unresolved',
			}
		: change;
}

/**
 * A mention includes its comment. That comment belongs to another ticket (docs/protocol.md#mentions) or has its own
 * event.
 */
function ownComment(kinds: readonly string[], comment: Comment | undefined): Comment | undefined {
	const isMention = kinds.includes('ticket_mentioned') || kinds.includes('user_mentioned');
	return isMention && !kinds.includes('comment') ? undefined : comment;
}

/** Answer to a ticket update. */
export const ticketUpdate = v.pipe(
	v.object({ ticket, events: v.array(ticketEvent) }),
	v.transform((wire): ChangedTicket => wire),
);
