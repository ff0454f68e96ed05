import * as v from 'valibot';
import {
	ticketEventKinds,
	ticketResolutions,
	ticketStatuses,
	type Comment,
	type ShortTicket,
	type Ticket,
	type TicketEvent,
} from 'sourcehut/port/ticket.ts';
import {
	permissionWords,
	type Label,
	type Permissions,
	type ShortTracker,
	type Tracker,
} from 'sourcehut/port/tracker.ts';
import type { ExtraField } from 'sourcehut/port/extra.ts';
import { type FieldsOf, keptWord, maybe, time, whole } from '../shared/keptText.ts';

/* Schemas of trackers, tickets and events in the disk cache. */

const shortUser = v.object({ canonicalName: v.string(), name: v.string() });
const extra = v.exactOptional(
	v.array(v.object({ name: v.string(), json: maybe(v.string()) } satisfies FieldsOf<ExtraField>)),
);
const permissionList = v.array(keptWord(permissionWords));
const permissions = v.object({
	mine: v.exactOptional(permissionList),
	anonymous: maybe(permissionList),
	submitter: maybe(permissionList),
	user: maybe(permissionList),
} satisfies FieldsOf<Permissions>);
const status = keptWord(ticketStatuses);
const resolution = keptWord(ticketResolutions);
const participant = v.variant('kind', [
	v.object({ kind: v.literal('user'), ...shortUser.entries }),
	v.object({ kind: v.literal('email'), address: v.string(), name: maybe(v.string()) }),
	v.object({ kind: v.literal('external'), externalId: v.string(), externalUrl: maybe(v.string()) }),
]);
const shortTrackerFields = {
	owner: shortUser,
	name: v.string(),
	createdMs: time,
	updatedMs: time,
} satisfies FieldsOf<ShortTracker>;

/** The tracker as embedded in tickets. */
export const keptShortTracker = v.object(shortTrackerFields);

export const keptTracker: v.GenericSchema<unknown, Tracker> = v.object({
	...shortTrackerFields,
	id: maybe(whole),
	rid: v.exactOptional(v.string()),
	description: maybe(v.string()),
	defaultPermissions: maybe(permissions),
	visibility: maybe(v.string()),
	extra,
} satisfies FieldsOf<Tracker>);

export const keptLabel: v.GenericSchema<unknown, Label> = v.object({
	name: v.string(),
	colors: v.object({ background: v.string(), text: v.string() }),
	createdMs: maybe(time),
	extra,
} satisfies FieldsOf<Label>);

/** Without fields that thousands of tickets share. */
export const keptTicketPart = v.object({
	id: v.pipe(whole, v.minValue(1)),
	title: v.string(),
	createdMs: time,
	updatedMs: time,
	submitter: participant,
	description: v.string(),
	status,
	resolution,
	permissions: maybe(permissions),
	labels: v.array(v.string()),
	assignees: v.array(shortUser),
	extra,
} satisfies FieldsOf<Omit<Ticket, 'ref' | 'tracker'>>);

export const keptTicket = v.object({ ...keptTicketPart.entries, ref: v.string(), tracker: keptShortTracker });

const shortTicket = v.object({
	id: whole,
	ref: v.string(),
	tracker: keptShortTracker,
	title: maybe(v.string()),
} satisfies FieldsOf<ShortTicket>);
const comment = v.object({
	id: maybe(whole),
	createdMs: time,
	submitter: participant,
	text: v.string(),
} satisfies FieldsOf<Comment>);

export const keptEvent = v.object({
	id: whole,
	createdMs: time,
	kinds: v.array(keptWord(ticketEventKinds)),
	oldStatus: maybe(status),
	newStatus: maybe(status),
	oldResolution: maybe(resolution),
	newResolution: maybe(resolution),
	user: maybe(participant),
	ticket: maybe(shortTicket),
	comment: maybe(comment),
	labels: v.array(v.string()),
	byUser: maybe(participant),
	fromTicket: maybe(shortTicket),
	extra,
} satisfies FieldsOf<TicketEvent>);
