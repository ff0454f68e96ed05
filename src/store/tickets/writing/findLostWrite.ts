import type { TicketWriting } from './ticketWriting.ts';
import { isAbort } from '../../../base/abort.ts';
import { eventsSince } from '../../../forge/port/eventsSince.ts';
import { isForgeError } from '../../../forge/port/forgeError.ts';
import { isEventBy, type Ticket, type TicketEvent, type TicketRef } from '../../../forge/port/ticket.ts';
import {
	isBlank,
	changingParts,
	isMoved,
	isNothing,
	statusWanted,
	type TicketRequest,
} from '../../../forge/port/ticketRequest.ts';
import { assigneesLeft, commentEvent, labelsLeft } from './compareAnswer.ts';
import { lookRepeatedly } from '../../shared/lookRepeatedly.ts';

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
		const since = lost.newestBefore === undefined ? [] : await newEvents(parts, lost.ref, lost.newestBefore, signal);
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

/** Events newer than `newestBefore`; also applied to the store. */
async function newEvents(
	{ api, store }: TicketWriting,
	ref: TicketRef,
	newestBefore: number,
	signal: AbortSignal,
): Promise<readonly TicketEvent[]> {
	const events = await eventsSince(api, ref, newestBefore, signal);
	store.apply({ kind: 'eventsAdded', ticket: ref, events });
	return events;
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
			labels: labels && labelsLeft(labels, ticket),
			assignees: assignees && assigneesLeft(assignees, ticket),
		}),
	};
}
