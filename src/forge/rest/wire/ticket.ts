import * as v from 'valibot';
import { ticketResolutions, ticketStatuses } from '../../port/ticket.ts';
import type { Comment, ShortTicket, Ticket, TicketResolution, TicketStatus } from '../../port/ticket.ts';
import { wordOf } from '../../port/word.ts';
import { timestamp } from '../../answers/timestamp.ts';
import { id, permissions, shortTracker } from './tracker.ts';
import { participant, shortUser } from './user.ts';
import { extraOf } from './extra.ts';

/** Keeps unknown words of later servers. */
export const status = v.pipe(
	v.string(),
	v.transform((word): TicketStatus => wordOf(ticketStatuses, word)),
);

export const resolution = v.pipe(
	v.string(),
	v.transform((word): TicketResolution => wordOf(ticketResolutions, word)),
);

/** Numbers start at 1 within a tracker (docs/protocol.md#ticket-fields). */
const number = v.pipe(id, v.minValue(1));

const ticketFields = {
	id: number,
	ref: v.string(),
	tracker: shortTracker,
	title: v.string(),
	created: timestamp,
	updated: timestamp,
	submitter: participant,
	description: v.nullish(v.string()),
	status,
	resolution,
	permissions: v.nullish(permissions),
	labels: v.array(v.string()),
	assignees: v.array(shortUser),
};

/** Ticket resource (docs/protocol.md#ticket-fields); without `permissions` on later servers. */
export const ticket = v.pipe(
	v.looseObject(ticketFields),
	v.transform((wire): Ticket => ({
		id: wire.id,
		ref: wire.ref,
		tracker: wire.tracker,
		title: wire.title,
		createdMs: wire.created,
		updatedMs: wire.updated,
		submitter: wire.submitter,
		description: wire.description ?? '',
		status: wire.status,
		resolution: wire.resolution,
		permissions: wire.permissions ?? undefined,
		labels: wire.labels,
		assignees: wire.assignees,
		...extraOf(wire, ticketFields),
	})),
);

/** Short form; the contract omits `title`. */
export const shortTicket = v.pipe(
	v.object({ id: number, ref: v.string(), tracker: shortTracker, title: v.nullish(v.string()) }),
	v.transform((wire): ShortTicket => ({
		id: wire.id,
		ref: wire.ref,
		tracker: wire.tracker,
		title: wire.title ?? undefined,
	})),
);

/** Comment, in its long form (with `ticket`) or its short one. */
export const comment = v.pipe(
	v.object({ id, created: timestamp, submitter: participant, text: v.string() }),
	v.transform((wire): Comment => ({
		id: wire.id,
		createdMs: wire.created,
		submitter: wire.submitter,
		text: wire.text,
	})),
);
