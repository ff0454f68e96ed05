import * as v from 'valibot';
import { patchsetStatuses } from 'sourcehut/port/list.ts';
import { ticketResolutions, ticketStatuses } from 'sourcehut/port/ticket.ts';
import { keptWord, maybe, named, time, whole } from '../shared/keptText.ts';
import { watchedKey } from './watched.ts';

/* The stored form of entries. The types are inferred, so that windows cannot lose a field to each other. */

const inboxThing = v.variant('kind', [
	v.object({ kind: v.literal('ticket'), ref: v.object({ tracker: named, id: whole }), title: v.string() }),
	/** A conversation, by the id of its first mail. */
	v.object({ kind: v.literal('thread'), list: named, id: whole, subject: v.string() }),
	v.object({ kind: v.literal('patchset'), ref: v.object({ list: named, id: whole }), subject: v.string() }),
	v.object({ kind: v.literal('repository'), ref: named }),
]);
/** The subject that groups entries. Names on servers are case-insensitive, so compare by `thingKey`. */
export type InboxThing = v.InferOutput<typeof inboxThing>;

/** Reasons for an entry, most personal first. The first matching reason wins. */
export const inboxReasons = [
	'mentioned',
	'assigned',
	'reviewAsked',
	'answered',
	'newVersion',
	'mine',
	'participating',
	'watchedFile',
	'followed',
] as const;
export type InboxReason = (typeof inboxReasons)[number];

/** New status of a ticket. */
const movedTicket = v.object({ status: keptWord(ticketStatuses), resolution: maybe(keptWord(ticketResolutions)) });
export type MovedTicket = v.InferOutput<typeof movedTicket>;

/** A change of one reference by a push. */
const referenceChange = v.object({
	/** In full, as `refs/heads/main`. */
	name: v.string(),
	/** Commit ids; `old` is missing for a new reference, `now` for a deleted one. */
	old: maybe(v.string()),
	now: maybe(v.string()),
	/**
	 * From the push delivery only: the reference list doesn't show annotated tags. Missing in texts of earlier versions.
	 */
	isAnnotatedTag: v.fallback(v.boolean(), false),
});
export type ReferenceChange = v.InferOutput<typeof referenceChange>;

const inboxEvent = v.variant('kind', [
	v.object({ kind: v.literal('ticketCreated') }),
	/** `moved`: the comment also changed the status. */
	v.object({ kind: v.literal('commented'), eventId: whole, excerpt: v.string(), moved: maybe(movedTicket) }),
	v.object({ kind: v.literal('statusChanged'), eventId: whole, moved: movedTicket }),
	v.object({
		kind: v.picklist(['labelled', 'unlabelled']),
		eventId: whole,
		labels: v.pipe(v.array(v.string()), v.readonly()),
	}),
	/** `eventId` is missing if only a comparison of the ticket revealed it. `to`: `~name`. */
	v.object({ kind: v.picklist(['assigned', 'unassigned']), eventId: maybe(whole), to: v.string() }),
	/** Another ticket, `~owner/name#7`, mentions this one. */
	v.object({ kind: v.literal('namedByTicket'), eventId: whole, from: maybe(v.string()) }),
	v.object({ kind: v.literal('mailArrived'), mailId: whole, subject: v.string() }),
	/** `path`: of a watched file that it changes. */
	v.object({ kind: v.literal('patchsetReceived'), version: whole, path: v.optional(v.string()) }),
	v.object({ kind: v.literal('patchsetMarked'), status: keptWord(patchsetStatuses) }),
	v.object({ kind: v.literal('pushed'), changes: v.pipe(v.array(referenceChange), v.readonly()) }),
]);
/** An event on the forge. */
export type InboxEvent = v.InferOutput<typeof inboxEvent>;

export const inboxEntry = v.object({
	/** Identifies the event on the forge. It doesn't depend on the source, the order or the window. */
	id: v.string(),
	thing: inboxThing,
	/** Time of the event by the forge's clock, or of the read if the forge reports none; milliseconds since 1970. */
	atMs: time,
	/** The actor: `~name`, an address or a name; `undefined` if the forge doesn't report it. */
	by: maybe(v.string()),
	reason: v.picklist(inboxReasons),
	event: inboxEvent,
});
/** An event that concerns the account. */
export type InboxEntry = Readonly<v.InferOutput<typeof inboxEntry>>;

export function thingKey(thing: InboxThing): string {
	return watchedKey(thing);
}

/** The most personal reason; `undefined` without any. */
export function strongest(reasons: readonly (InboxReason | undefined)[]): InboxReason | undefined {
	return inboxReasons.find((reason) => reasons.includes(reason));
}
