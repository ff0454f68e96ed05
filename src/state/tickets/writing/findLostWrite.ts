import { isAbort } from '../../../base/abort.ts';
import type { Clock } from '../../../base/clock.ts';
import { eventsSince } from '../../../forge/eventsSince.ts';
import type { TrackerApi } from '../../../forge/forge.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import { isEventBy, type Ticket, type TicketEvent, type TicketRef } from '../../../forge/ticket.ts';
import {
	isBlank,
	changingParts,
	isMoved,
	isNothing,
	statusWanted,
	type TicketRequest,
} from '../../../forge/ticketRequest.ts';
import type { OwnerName } from '../../../forge/user.ts';
import { assigneesLeft, commentEvent, labelsLeft } from './compareAnswer.ts';
import { lookRepeatedly } from '../../shared/lookRepeatedly.ts';
import type { TicketStore } from '../ticketStore.ts';

/** What looking needs. */
export interface LookParts {
	readonly api: Pick<TrackerApi, 'events'>;
	readonly store: Pick<TicketStore, 'renewTicket' | 'apply'>;
	/** `~name` of the account: only its own comments are its writes. */
	readonly me: OwnerName;
	readonly clock: Clock;
}

/** A write whose answer never came. */
export interface LostWrite {
	readonly ref: TicketRef;
	readonly wish: TicketRequest;
	/** Newest event that was there before it was sent; `undefined` where nobody read them, and then none are looked at. */
	readonly newestBefore: number | undefined;
}

/** What looking found. */
export interface Found {
	readonly ticket: Ticket;
	/** What the account itself did since; none when the events were not looked at. */
	readonly events: readonly TicketEvent[];
	/** The parts of the wish that are not there. */
	readonly left: TicketRequest;
}

/**
 * Looks whether a write arrived: at once, and when something is not there a few times more, because the server may still
 * be at it. Answers `undefined` when nobody could look. Throws an abort only.
 */
export function findLostWrite(parts: LookParts, lost: LostWrite, signal: AbortSignal): Promise<Found | undefined> {
	return lookRepeatedly(
		{
			// A look that failed says nothing: what an earlier one saw is then too old to stand on.
			look: (looking) => lookOnce(parts, lost, looking),
			isFound: (found) => found !== undefined && isNothing(found.left),
		},
		parts.clock,
		signal,
	);
}

async function lookOnce(parts: LookParts, lost: LostWrite, signal: AbortSignal): Promise<Found | undefined> {
	try {
		// The timeline first: what it shows is then on the ticket too.
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

/** Events newer than one that is known. They are taken over by the store. */
async function newEvents(
	{ api, store }: LookParts,
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
	// Comment and move of one request are one event, which proves the move even when somebody has moved it on since.
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
