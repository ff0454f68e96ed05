import * as v from 'valibot';
import { timestamp } from '../../answers/timestamp.ts';
import { ticketEventKinds, ticketResolutions, ticketStatuses } from '../../port/ticket.ts';
import type { ShortTicket, Ticket, TicketEvent, TicketEventKind } from '../../port/ticket.ts';
import { permissionWords } from '../../port/tracker.ts';
import type { Label, Permission, ShortTracker, Tracker } from '../../port/tracker.ts';
import type { Participant, ShortUser } from '../../port/user.ts';
import { wordOf } from '../../port/word.ts';
import type { WithExtra } from '../../port/extra.ts';
import { ofOwner } from '../transport/operations.ts';
import { partly, unsentIn } from '../transport/partial.ts';
import { selected } from '../transport/selection.ts';
import { id } from '../transport/variables.ts';

/* Schemas for the ticket service's queries and responses (docs/protocol.md#graphql-values). */

export const inTracker = [ofOwner, 'tracker(name: $name String!): Tracker'];

/** The API spells enum values in upper case. */
function word<const Known extends string>(known: readonly Known[]) {
	return v.pipe(
		v.string(),
		v.transform((text) => wordOf(known, text.toLowerCase())),
	);
}

const entity = selected(
	'Entity',
	{
		canonicalName: v.string(),
		mailbox: v.nullish(v.string()),
		name: v.nullish(v.string()),
		externalId: v.nullish(v.string()),
		externalUrl: v.nullish(v.string()),
	},
	{ EmailAddress: 'mailbox name', ExternalUser: 'externalId externalUrl' },
);

type WireEntity = v.InferOutput<typeof entity>;

/** A user with an account. */
const shortUser = v.pipe(
	selected('Entity', { canonicalName: v.string() }),
	v.transform(({ canonicalName }): ShortUser => ({ canonicalName, name: canonicalName.replace(/^~/, '') })),
);

/** A user with or without an account. */
const participant = v.pipe(entity, v.transform(participantOf));

function participantOf({ canonicalName, mailbox, name, externalId, externalUrl }: WireEntity): Participant {
	if (typeof mailbox === 'string') {
		return { kind: 'email', address: mailbox, name: name ?? undefined };
	}
	if (typeof externalId === 'string') {
		return { kind: 'external', externalId, externalUrl: externalUrl ?? undefined };
	}
	return { kind: 'user', canonicalName, name: canonicalName.replace(/^~/, '') };
}

const acl = v.pipe(
	selected('ACL', Object.fromEntries(permissionWords.map((word) => [word, v.optional(v.unknown())]))),
	v.transform((rights): readonly Permission[] => permissionWords.filter((each) => rights[each] === true)),
);

const shortTracker = selected('Tracker', {
	created: timestamp,
	updated: timestamp,
	owner: shortUser,
	name: v.string(),
});

const trackerEntries = { ...shortTracker.entries, acl: v.nullish(acl), ...partly };

/** A tracker with its permissions. */
export interface TrackerAround {
	readonly tracker: ShortTracker;
	readonly mine: readonly Permission[] | undefined;
	readonly unsent: WithExtra;
}

function shortTrackerOf(wire: v.InferOutput<typeof shortTracker>): ShortTracker {
	return { owner: wire.owner, name: wire.name, createdMs: wire.created, updatedMs: wire.updated };
}

/** The tracker of a ticket. */
export const trackerAround = v.pipe(
	selected('Tracker', trackerEntries),
	v.transform((wire): TrackerAround => ({
		tracker: shortTrackerOf(wire),
		mine: wire.acl ?? undefined,
		unsent: unsentIn(wire),
	})),
);

export const tracker = v.pipe(
	selected('Tracker', {
		id,
		...trackerEntries,
		rid: v.optional(v.string()),
		description: v.nullish(v.string()),
		visibility: v.optional(v.string()),
	}),
	v.transform((wire): Tracker => ({
		...shortTrackerOf(wire),
		id: wire.id,
		...(wire.rid === undefined ? {} : { rid: wire.rid }),
		description: wire.description ?? undefined,
		defaultPermissions: wire.acl
			? { mine: wire.acl, anonymous: undefined, submitter: undefined, user: undefined }
			: undefined,
		visibility: wire.visibility?.toLowerCase(),
		...unsentIn(wire),
	})),
);

export const label = v.pipe(
	selected('Label', {
		name: v.string(),
		created: timestamp,
		foregroundColor: v.string(),
		backgroundColor: v.string(),
	}),
	v.transform((wire): Label => ({
		name: wire.name,
		colors: { background: wire.backgroundColor, text: wire.foregroundColor },
		createdMs: wire.created,
	})),
);

const labelName = selected('Label', { name: v.string() });

const wireTicket = selected('Ticket', {
	id,
	ref: v.string(),
	created: timestamp,
	updated: timestamp,
	subject: v.string(),
	body: v.nullish(v.string()),
	status: word(ticketStatuses),
	resolution: word(ticketResolutions),
	submitter: participant,
	labels: v.array(labelName),
	assignees: v.array(shortUser),
	...partly,
});

/** A ticket; `in` adds its tracker. */
export const ticketInTracker = v.pipe(
	wireTicket,
	v.transform((wire) => ({
		in: ({ tracker: around, mine, unsent }: TrackerAround): Ticket => ({
			id: wire.id,
			ref: wire.ref,
			tracker: around,
			title: wire.subject,
			createdMs: wire.created,
			updatedMs: wire.updated,
			submitter: wire.submitter,
			description: wire.body ?? '',
			status: wire.status,
			resolution: wire.resolution,
			permissions: mine && { mine, anonymous: undefined, submitter: undefined, user: undefined },
			labels: wire.labels.map(({ name }) => name),
			assignees: wire.assignees,
			...bothUnsent(unsentIn(wire), unsent),
		}),
	})),
);

function bothUnsent({ extra: own = [] }: WithExtra, { extra: around = [] }: WithExtra): WithExtra {
	return own.length + around.length === 0 ? {} : { extra: [...own, ...around] };
}

/** The other ticket of a mention. The timeline shows only its name, so the query omits its tracker's permissions. */
const mentioningTicket = v.pipe(
	selected('Ticket', { id, ref: v.string(), subject: v.string(), tracker: shortTracker }),
	v.transform((wire): ShortTicket => ({
		id: wire.id,
		ref: wire.ref,
		tracker: shortTrackerOf(wire.tracker),
		title: wire.subject,
	})),
);

/** The mentioning ticket may be in a hidden tracker. Then the timeline shows the mention without its name. */
export const eventsWithout = [{ type: 'TicketMention', field: 'ticket' }] as const;

const change = selected(
	'EventDetail',
	{
		eventType: word(ticketEventKinds),
		author: v.optional(participant),
		text: v.optional(v.string()),
		editor: v.optional(participant),
		oldStatus: v.optional(word(ticketStatuses)),
		newStatus: v.optional(word(ticketStatuses)),
		oldResolution: v.optional(word(ticketResolutions)),
		newResolution: v.optional(word(ticketResolutions)),
		labeler: v.optional(participant),
		label: v.optional(labelName),
		assigner: v.optional(participant),
		assignee: v.optional(participant),
		ticket: v.optional(mentioningTicket),
		mentioned: v.fallback(v.optional(participant), undefined),
	},
	{
		Created: 'author',
		Comment: 'author text',
		StatusChange: 'editor oldStatus newStatus oldResolution newResolution',
		LabelUpdate: 'labeler label',
		Assignment: 'assigner assignee',
		UserMention: 'author mentioned',
		TicketMention: 'author ticket',
	},
);

type WireChange = v.InferOutput<typeof change>;

/** A timeline event; `of` adds its ticket. */
export const eventOfTicket = v.pipe(
	selected('Event', { id, created: timestamp, changes: v.pipe(v.array(change), v.minLength(1)), ...partly }),
	v.transform((wire) => ({
		of: (ticket: ShortTicket): TicketEvent => ({
			...eventOf(wire.id, wire.created, wire.changes, ticket),
			...unsentIn(wire),
		}),
	})),
);

/** One event may be a comment and a status change at once. */
function eventOf(eventId: number, createdMs: number, changes: readonly WireChange[], ticket: ShortTicket): TicketEvent {
	const find = <T>(read: (each: WireChange) => T | undefined): T | undefined =>
		changes.map(read).find((value) => value !== undefined);
	const comment = changes.find(({ text }) => text !== undefined);
	const by = find(({ author, editor, labeler, assigner }) => author ?? editor ?? labeler ?? assigner);
	const whom = find(({ assignee }) => assignee) ?? find(({ mentioned }) => mentioned);
	const isOfAnother = whom !== undefined || changes.some(({ eventType }) => eventType === 'ticket_mentioned');
	return {
		id: eventId,
		createdMs,
		kinds: changes.map(({ eventType }): TicketEventKind => eventType),
		oldStatus: find(({ oldStatus }) => oldStatus),
		newStatus: find(({ newStatus }) => newStatus),
		oldResolution: find(({ oldResolution }) => oldResolution),
		newResolution: find(({ newResolution }) => newResolution),
		user: isOfAnother ? whom : by,
		ticket,
		// A comment has no id of its own; links use the event's id.
		comment:
			comment?.author && comment.text !== undefined
				? { id: undefined, createdMs, submitter: comment.author, text: comment.text }
				: undefined,
		labels: changes.flatMap((each) => (each.label ? [each.label.name] : [])),
		byUser: isOfAnother ? by : undefined,
		fromTicket: find((each) => (each.eventType === 'ticket_mentioned' ? each.ticket : undefined)),
	};
}
