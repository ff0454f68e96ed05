import * as v from 'valibot';
import { forgeNumber, isRecord, subjectReader } from '../../../editor/commands/subjects.ts';
import { named } from '../../../store/shared/keptText.ts';

const tracker = v.object({ kind: v.literal('tracker'), connectionKey: v.string(), ref: named });
export type TrackerSubject = Readonly<v.InferOutput<typeof tracker>>;
export const trackerSubject = subjectReader(tracker);

const ticket = v.object({
	kind: v.literal('ticket'),
	connectionKey: v.string(),
	ref: v.object({ tracker: named, id: forgeNumber }),
});
export type TicketSubject = Readonly<v.InferOutput<typeof ticket>>;
export const ticketSubject = subjectReader(ticket);

const queued = v.object({ kind: v.literal('queued'), connectionKey: v.string(), id: v.string() });
/** A write in the outbox. */
export type QueuedSubject = Readonly<v.InferOutput<typeof queued>>;
export const queuedSubject = subjectReader(queued);

/** The tracker of a row, or of its ticket. */
export function trackerOf(value: unknown): TrackerSubject | undefined {
	const subject = ticketSubject(value);
	return subject
		? { kind: 'tracker', connectionKey: subject.connectionKey, ref: subject.ref.tracker }
		: trackerSubject(value);
}

/** The event in a subject, to scroll to. */
export function eventOf(value: unknown): number | undefined {
	const event = isRecord(value) ? value['event'] : undefined;
	return Number.isSafeInteger(event) && Number(event) > 0 ? Number(event) : undefined;
}

/** Focus after opening a ticket's page: the page, its comment box, or the boxes for title and description. */
export type CaretPlace = 'page' | 'composer' | 'text';

/** Opens a ticket's page, optionally at a timeline event. */
export type OpenTicket = (subject: TicketSubject, caret: CaretPlace, event?: number) => void;
