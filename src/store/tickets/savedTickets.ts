import * as v from 'valibot';
import {
	ticketEventKinds,
	ticketResolutions,
	ticketStatuses,
	type Comment,
	type ShortTicket,
	type Ticket,
	type TicketEvent,
	type TicketRef,
} from 'sourcehut/port/ticket.ts';
import {
	permissionWords,
	type Label,
	type Permissions,
	type ShortTracker,
	type Tracker,
	type TrackerRef,
} from 'sourcehut/port/tracker.ts';
import type { ExtraField } from 'sourcehut/port/extra.ts';
import { type FieldsOf, keptWord, maybe, time, whole, named } from '../shared/keptText.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { headBytes, keptReadings, type KeptTexts, keptCompleteness } from '../shared/keptReadings.ts';
import type { KeptListing, ReadOnce } from '../shared/listing.ts';
import { trackerKey } from './trackerRefs.ts';
import type { KnownComments } from './commentTexts.ts';
import type { KeptCursor } from './ticketCursors.ts';
import type { NumberRange } from '../shared/numberRanges.ts';

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

const keptTracker: v.GenericSchema<unknown, Tracker> = v.object({
	...shortTrackerFields,
	id: maybe(whole),
	rid: v.exactOptional(v.string()),
	description: maybe(v.string()),
	defaultPermissions: maybe(permissions),
	visibility: maybe(v.string()),
	extra,
} satisfies FieldsOf<Tracker>);

const keptLabel: v.GenericSchema<unknown, Label> = v.object({
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

const keptEvent = v.object({
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

/** Disk cache of visited tickets and their timelines. */
export type KeptTimelines = ReturnType<typeof keptTimelines>;

export function keptTimelines(kept: KeptTexts, clock: Clock) {
	const readings = keptReadings(kept, clock);
	return {
		/** A ticket of any tracker; the index covers only own and followed trackers. Never rejects. */
		ticket: (ref: TicketRef): Promise<ReadOnce<Ticket> | undefined> =>
			readings.read(ticketName(ref), (value) => {
				const ticket = v.parse(keptTicket, value);
				if (ticket.id !== ref.id) {
					throw new Error('The file holds another ticket');
				}
				return ticket;
			}),
		keepTicket: (ref: TicketRef, ticket: Ticket) =>
			readings.keep(ticketName(ref), ticket, headBytes + ticket.description.length),
		/** The newest events of its timeline. */
		events: (ref: TicketRef): KeptListing<TicketEvent> =>
			readings.listing(eventsName(ref), v.parser(keptEvent), {
				sizeOf: ({ comment }) => headBytes + (comment?.text.length ?? 0),
			}),
		/** Removes the ticket and its timeline after the forge refused it. */
		drop: (ref: TicketRef) => [ticketName(ref), eventsName(ref)].forEach((name) => kept.drop(name)),
	};
}

function ticketName({ tracker, id }: TicketRef): string {
	return `ticket ${trackerKey(tracker)} ${id}`;
}

function eventsName({ tracker, id }: TicketRef): string {
	return `timeline ${trackerKey(tracker)} ${id}`;
}

/** A ticket in the disk cache. */
export interface RememberedTicket {
	readonly ticket: Ticket;
	readonly checkedAtMs: number;
	readonly comments: KnownComments | undefined;
}

/** A segment of a tracker's tickets in the disk cache. */
export interface RememberedTickets {
	readonly tracker: TrackerRef;
	readonly tickets: readonly RememberedTicket[];
	/** Number ranges covered by pages. */
	readonly covered: readonly NumberRange[];
	/** Cursors at the ends of pages. */
	readonly cursors?: readonly KeptCursor[];
	/** The server reported no end of the list. */
	readonly isUnstated: boolean;
}

const trackerLabels = v.object({
	tracker: named,
	labels: v.pipe(v.array(keptLabel), v.readonly()),
	/** The forge lists only some of them. */
	isPart: v.exactOptional(v.literal(true)),
});
export type TrackerLabels = Readonly<v.InferOutput<typeof trackerLabels>>;

const rememberedTrackers = v.object({
	/** `undefined` before the first read. */
	own: maybe(v.object({ items: v.pipe(v.array(keptTracker), v.readonly()), completeness: keptCompleteness })),
	others: v.pipe(v.array(keptTracker), v.readonly()),
	labels: v.pipe(v.array(trackerLabels), v.readonly()),
});
/** Trackers and labels in the disk cache. */
export type RememberedTrackers = Readonly<v.InferOutput<typeof rememberedTrackers>>;

/** Increment when the format changes. */
const version = 1;

export function trackersText(trackers: RememberedTrackers): string {
	return JSON.stringify({ version, ...trackers });
}

/** Throws on invalid text. */
export function trackersOf(text: string): RememberedTrackers {
	return v.parse(v.object({ version: v.literal(version), ...rememberedTrackers.entries }), JSON.parse(text));
}
