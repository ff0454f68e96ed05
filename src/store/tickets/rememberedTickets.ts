import * as v from 'valibot';
import type { KnownComments } from './commentTexts.ts';
import { keptLabel, keptTracker } from './keptTicketValues.ts';
import { keptCompleteness } from '../shared/keptListing.ts';
import { maybe, named } from '../shared/keptText.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { KeptCursor } from './ticketCursors.ts';
import type { NumberRange } from '../shared/numberRanges.ts';

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
