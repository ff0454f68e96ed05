import { isAbort } from '@forge-desk/base/abort.ts';
import { eventsSince } from 'sourcehut/port/eventsSince.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import {
	type Ticket,
	type TicketEvent,
	isEventBy,
	type TicketRef,
	refOfTicket,
	ticketRefText,
} from 'sourcehut/port/ticket.ts';
import {
	isBlank,
	statusWanted,
	type ChangedTicket,
	type Deviation,
	type LabelRequest,
	type TicketRequest,
	changingParts,
	isMoved,
	isNothing,
} from 'sourcehut/port/ticketRequest.ts';
import { isSameText } from '../../shared/isSameText.ts';
import { lookRepeatedly } from '../../shared/lookRepeatedly.ts';
import { isGone } from '../../shared/sentOnce.ts';
import type { JournaledWrite, Verdict, WriteJournal } from '../../shared/writeJournal.ts';
import { factsOf, type TicketFacts, type WriteOf, type WriteRecord } from '../../shared/writeRecord.ts';
import { lookForTicket, lostTicket, type LostTicket } from './submitOnce.ts';
import type { TicketWriting } from './ticketWriting.ts';
import { doneAllTheSame, type WriteOutcome } from './writeOutcome.ts';

/** Differences between a response and its request. */
export function unlikeness(
	{ comment, move, labels, assignees }: TicketRequest,
	{ ticket, events }: ChangedTicket,
): readonly Deviation[] {
	const deviations: Deviation[] = [];
	if (!isBlank(comment) && !commentEvent(events, comment)) {
		deviations.push({ kind: 'comment' });
	}
	if (move && ticket.status !== statusWanted(move)) {
		deviations.push({ kind: 'status', wanted: statusWanted(move), got: ticket.status });
	} else if (move?.kind === 'resolve' && ticket.resolution !== move.resolution) {
		deviations.push({ kind: 'resolution', wanted: move.resolution, got: ticket.resolution });
	}
	if (labels) {
		const { add, remove } = left(labels, ticket.labels);
		add.forEach((name) => deviations.push({ kind: 'labelMissing', name }));
		remove.forEach((name) => deviations.push({ kind: 'labelLeft', name }));
	}
	if (assignees) {
		const { add, remove } = left(assignees, assigneesOf(ticket));
		add.forEach((name) => deviations.push({ kind: 'assigneeMissing', name }));
		remove.forEach((name) => deviations.push({ kind: 'assigneeLeft', name }));
	}
	return deviations;
}

/** The newest event with this comment text. */
function commentEvent(events: readonly TicketEvent[], text: string): TicketEvent | undefined {
	return events.find(({ comment }) => comment !== undefined && isSameText(comment.text, text));
}

/** The part of the request that the ticket doesn't have. */
function left({ add, remove }: LabelRequest, present: readonly string[]): LabelRequest {
	return {
		add: add.filter((name) => !present.includes(name) && !remove.includes(name)),
		remove: remove.filter((name) => present.includes(name)),
	};
}

function assigneesOf({ assignees }: Ticket): readonly string[] {
	return assignees.map(({ canonicalName }) => canonicalName);
}

/** The ticket before a write. `read` is the known ticket; the response's events have the old status and resolution. */
export function ticketBefore(read: Ticket | undefined, { ticket, events }: ChangedTicket): Ticket {
	const move = events.find(({ kinds }) => kinds.includes('status_change'));
	const { status, resolution } = ticket;
	return {
		...(read ?? ticket),
		status: move?.oldStatus ?? status,
		resolution: move?.oldResolution ?? resolution,
	};
}

/** A write without a response. */
export interface LostWrite {
	readonly ref: TicketRef;
	readonly wish: TicketRequest;
	/** Newest event id before the write; `undefined` when unknown, which disables the event search. */
	readonly newestBefore: number | undefined;
}

export interface Found {
	readonly ticket: Ticket;
	/** The account's events since the write; empty when events were not checked. */
	readonly events: readonly TicketEvent[];
	/** Parts of the request without effect. */
	readonly left: TicketRequest;
}

/**
 * Checks a lost write immediately, then a few more times, because the server may still be working. `undefined` when the
 * check failed. Rejects only with an abort.
 */
export function findLostWrite(parts: TicketWriting, lost: LostWrite, signal: AbortSignal): Promise<Found | undefined> {
	return lookRepeatedly(
		// A failed check also invalidates earlier ones, because their data is too old.
		(looking) => lookOnce(parts, lost, looking),
		(found) => found !== undefined && isNothing(found.left),
		parts.clock,
		signal,
	);
}

async function lookOnce(parts: TicketWriting, lost: LostWrite, signal: AbortSignal): Promise<Found | undefined> {
	try {
		// Read the timeline before the ticket: the ticket then includes all its events.
		const { ref, newestBefore } = lost;
		const since = newestBefore === undefined ? [] : await eventsSince(parts.api, ref, newestBefore, signal);
		if (newestBefore !== undefined) {
			parts.store.apply({ kind: 'eventsAdded', ticket: ref, events: since });
		}
		const ticket = await parts.store.renewTicket(lost.ref, signal);
		const events = since.filter((event) => isEventBy(event, parts.me));
		return { ticket, events, left: leftOf(lost.wish, ticket, events) };
	} catch (error) {
		if (isAbort(error) || !isForgeError(error)) {
			throw error;
		}
		return undefined;
	}
}

function leftOf(
	{ comment, move, labels, assignees }: TicketRequest,
	ticket: Ticket,
	events: readonly TicketEvent[],
): TicketRequest {
	const said = isBlank(comment) ? undefined : commentEvent(events, comment);
	// A comment and a status change of one request share an event. It proves the change even if somebody changed the
	// status again.
	const isThere = move !== undefined && (isMoved(move, ticket) || said?.newStatus === statusWanted(move));
	return {
		...(isBlank(comment) || said ? {} : { comment }),
		...(move && !isThere ? { move } : {}),
		...changingParts({
			labels: labels && left(labels, ticket.labels),
			assignees: assignees && left(assignees, assigneesOf(ticket)),
		}),
	};
}

/** A write to a ticket and its journal entry. */
interface JournaledTicketWrite {
	readonly ref: TicketRef;
	readonly wish: TicketRequest;
	readonly entry: JournaledWrite;
}

/** A write in doubt and its journal entry. */
export interface LeftWrite extends LostWrite {
	readonly entry: JournaledWrite;
}

/** `isMissing`: a lookup did not find it. Otherwise the outcome is unknown. */
export interface OpenTicketWrite {
	readonly lost: LeftWrite;
	readonly isMissing: boolean;
}

export interface OpenNewTicket {
	readonly lost: LostTicket;
	readonly write: WriteOf<'newTicket'>;
	readonly isMissing: boolean;
}

/** Registers the lookups for ticket writes and new tickets. */
export function lookForTickets(parts: TicketWriting): void {
	const { journal } = parts;
	journal.registerLookup('ticket', async ({ ref, wish }, { newestEventId }, looking): Promise<Verdict> => {
		const found = await findLostWrite(parts, { ref, wish, newestBefore: newestEventId }, looking);
		if (!found) {
			const isMissing = await isGone(async () => Boolean(await parts.store.renewTicket(ref, looking)));
			return { kind: isMissing ? 'notThere' : 'unknown' };
		}
		const there = arrivedPart(wish, found.left);
		return isNothing(found.left)
			? { kind: 'there', after: factsOf(found.ticket) }
			: { kind: 'notThere', ...(isNothing(there) ? {} : { arrived: { kind: 'ticket', ref, wish: there } }) };
	});
	journal.registerLookup(
		'newTicket',
		async ({ tracker, ticket, newestBefore }, { sentMs }, looking): Promise<Verdict> => {
			const found = await lookForTicket(parts, { tracker, ticket, looking }, { sentMs, newestBefore });
			switch (found.kind) {
				case 'found':
					return { kind: 'there', made: refOfTicket(found.ticket) };
				case 'notThere':
					return { kind: 'notThere' };
				case 'notSeen':
					return { kind: 'unknown' };
			}
		},
	);
}

/** Unresolved comments and status changes of a ticket, newest last. */
export function openWrites(journal: WriteJournal, ref: TicketRef): readonly OpenTicketWrite[] {
	const key = ticketRefText(ref).toLowerCase();
	return journal.open().flatMap(({ entry, isMissing }) => {
		const { write, newestEventId: newestBefore } = entry;
		if (
			write.kind !== 'ticket' ||
			ticketRefText(write.ref).toLowerCase() !== key ||
			write.wish.labels !== undefined ||
			write.wish.assignees !== undefined
		) {
			return [];
		}
		return [{ lost: { ref, wish: write.wish, newestBefore, entry: journal.handle(entry) }, isMissing }];
	});
}

/** Unresolved submissions of a draft, newest last. */
export function openNewTickets(journal: WriteJournal, draft: string): readonly OpenNewTicket[] {
	return journal.open().flatMap(({ entry, isMissing }) => {
		const { write } = entry;
		return write.kind === 'newTicket' && write.draft?.name === draft
			? [{ lost: lostTicket(journal, write, entry), write, isMissing }]
			: [];
	});
}

/** Records a rejected write that may have taken partial effect. */
export async function noteRefused({ ref, entry }: JournaledTicketWrite, error: unknown): Promise<void> {
	const part = doneAllTheSame(error);
	if (!part) {
		return entry.failed();
	}
	const { done, before, now } = part;
	return entry.arrived({ write: { kind: 'ticket', ref, wish: done }, ...changeOf(before, now) });
}

export async function noteEnd({ ref, wish, entry }: JournaledTicketWrite, outcome: WriteOutcome): Promise<void> {
	switch (outcome.kind) {
		case 'done':
		case 'arrived': {
			const { comment: _, ...others } = wish;
			const isUnsaid = outcome.deviations?.some(({ kind }) => kind === 'comment') === true;
			const write: WriteRecord = { kind: 'ticket', ref, wish: isUnsaid ? others : wish };
			return entry.arrived({ write, ...changeOf(outcome.before, outcome.ticket) });
		}
		case 'missing':
			return noteLook({ ref, wish, entry }, outcome.left);
		case 'unclear':
			return entry.inDoubt();
		case 'queued':
			// The outbox has the record.
			return;
	}
}

/** Records a write after a lookup. */
export async function noteLook({ ref, wish, entry }: JournaledTicketWrite, left: TicketRequest): Promise<void> {
	const there = arrivedPart(wish, left);
	await (isNothing(there) ? entry.failed() : entry.arrived({ write: { kind: 'ticket', ref, wish: there } }));
}

function changeOf(
	before: Ticket | undefined,
	after: Ticket,
): { readonly before?: TicketFacts; readonly after: TicketFacts } {
	return { ...(before ? { before: factsOf(before) } : {}), after: factsOf(after) };
}

/** The delivered part of a request. */
function arrivedPart({ comment, move, labels, assignees }: TicketRequest, left: TicketRequest): TicketRequest {
	return {
		...(comment === undefined || left.comment !== undefined ? {} : { comment }),
		...(move && !left.move ? { move } : {}),
		...(labels && !left.labels ? { labels } : {}),
		...(assignees && !left.assignees ? { assignees } : {}),
	};
}
