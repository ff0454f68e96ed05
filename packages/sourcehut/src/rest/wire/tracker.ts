import * as v from 'valibot';
import {
	permissionWords,
	type Label,
	type Permission,
	type Permissions,
	type ShortTracker,
	type Tracker,
} from '../../port/tracker.ts';
import { wordOf } from '../../port/word.ts';
import { timestamp } from '../../answers/timestamp.ts';
import { shortUser, participant, extraOf } from './user.ts';
import {
	ticketResolutions,
	ticketStatuses,
	type Comment,
	type ShortTicket,
	type Ticket,
	type TicketResolution,
	type TicketStatus,
	ticketEventKinds,
	type TicketEvent,
	type TicketEventKind,
} from '../../port/ticket.ts';
import type { ChangedTicket } from '../../port/ticketRequest.ts';

/** An integer, for ids and counts. */
export const id = v.pipe(v.number(), v.safeInteger());

const words = v.pipe(
	v.array(v.string()),
	v.transform((found): readonly Permission[] => found.map((word) => wordOf(permissionWords, word))),
);

/** Permissions by kind of person; null means inherited. */
const permissions = v.pipe(
	v.object({ anonymous: v.nullish(words), submitter: v.nullish(words), user: v.nullish(words) }),
	v.transform((wire): Permissions => ({
		anonymous: wire.anonymous ?? undefined,
		submitter: wire.submitter ?? undefined,
		user: wire.user ?? undefined,
	})),
);

const shortFields = { owner: shortUser, name: v.string(), created: timestamp, updated: timestamp };

/** Short form (docs/protocol.md#tracker-fields). */
const shortTracker = v.pipe(
	v.object(shortFields),
	v.transform((wire): ShortTracker => ({
		owner: wire.owner,
		name: wire.name,
		createdMs: wire.created,
		updatedMs: wire.updated,
	})),
);

const trackerFields = {
	...shortFields,
	id: v.nullish(id),
	description: v.nullish(v.string()),
	default_permissions: v.nullish(permissions),
	default_access: v.nullish(words),
	visibility: v.nullish(v.string()),
};

/** Tracker resource (docs/protocol.md#tracker-fields; for later ones docs/protocol.md#later-servers). */
export const tracker = v.pipe(
	v.looseObject(trackerFields),
	v.transform((wire): Tracker => {
		const everybody = wire.default_access ?? undefined;
		return {
			id: wire.id ?? undefined,
			owner: wire.owner,
			name: wire.name,
			createdMs: wire.created,
			updatedMs: wire.updated,
			description: wire.description ?? undefined,
			defaultPermissions:
				wire.default_permissions ?? (everybody && { anonymous: everybody, submitter: everybody, user: everybody }),
			visibility: wire.visibility ?? undefined,
			...extraOf(wire, trackerFields),
		};
	}),
);

const labelFields = {
	name: v.string(),
	colors: v.object({ background: v.string(), text: v.string() }),
	created: v.nullish(timestamp),
	tracker: v.optional(v.unknown()),
};

/** Label resource (docs/protocol.md#labels). */
export const label = v.pipe(
	v.looseObject(labelFields),
	v.transform((wire): Label => ({
		name: wire.name,
		colors: wire.colors,
		createdMs: wire.created ?? undefined,
		...extraOf(wire, labelFields),
	})),
);

/** Keeps unknown words of later servers. */
const status = v.pipe(
	v.string(),
	v.transform((word): TicketStatus => wordOf(ticketStatuses, word)),
);

const resolution = v.pipe(
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
const shortTicket = v.pipe(
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
	v.transform((wire): TicketEvent => {
		const { event_type: said } = wire;
		// With a status change, null means the first word of each vocabulary (docs/protocol.md#ticket-events).
		const isMove = said.includes('status_change');
		const [firstStatus, firstResolution] = isMove ? (['reported', 'unresolved'] as const) : [undefined, undefined];
		// A mention includes its comment. That comment belongs to another ticket (docs/protocol.md#mentions) or has its
		// own event.
		const isMention = said.includes('ticket_mentioned') || said.includes('user_mentioned');
		const isOwnComment = !isMention || said.includes('comment');
		return {
			id: wire.id,
			createdMs: wire.created,
			kinds: said,
			oldStatus: wire.old_status ?? firstStatus,
			newStatus: wire.new_status ?? firstStatus,
			oldResolution: wire.old_resolution ?? firstResolution,
			newResolution: wire.new_resolution ?? firstResolution,
			user: wire.user ?? undefined,
			ticket: wire.ticket ?? undefined,
			comment: isOwnComment ? (wire.comment ?? undefined) : undefined,
			labels: typeof wire.label === 'string' ? [wire.label] : (wire.label ?? []),
			byUser: wire.by_user ?? undefined,
			fromTicket: wire.from_ticket ?? undefined,
			...extraOf(wire, ticketEventFields),
		};
	}),
);

/** Answer to a ticket update. */
export const ticketUpdate = v.pipe(
	v.object({ ticket, events: v.array(ticketEvent) }),
	v.transform((wire): ChangedTicket => wire),
);
