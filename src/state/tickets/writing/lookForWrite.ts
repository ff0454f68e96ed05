import { isAbort } from '../../../base/abort.ts';
import type { Clock } from '../../../base/clock.ts';
import type { TrackerApi } from '../../../forge/forge.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import { isEventBy, type Ticket, type TicketEvent, type TicketRef } from '../../../forge/ticket.ts';
import type { OwnerName } from '../../../forge/user.ts';
import { commentEvent, isMoved, isNoLabelWish, labelsLeft, statusWanted } from './compareAnswer.ts';
import { lookRepeatedly } from './lookRepeatedly.ts';
import type { TicketStore } from '../ticketStore.ts';
import type { TicketWish } from './ticketWish.ts';
import { isBlank } from './wishedChanges.ts';

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
	readonly wish: TicketWish;
	/** Newest event that was there before it was sent; `undefined` where nobody read them, and then none are looked at. */
	readonly newestBefore: number | undefined;
}

/** What looking found. */
export interface Sight {
	readonly ticket: Ticket;
	/** What the account itself did since; none when the events were not looked at. */
	readonly events: readonly TicketEvent[];
	/** The parts of the wish that are not there. */
	readonly left: TicketWish;
}

/**
 * Looks whether a write arrived: at once, and when something is not there a few times more, because the server may still
 * be at it. Answers `undefined` when nobody could look. Throws an abort only.
 */
export function lookForWrite(parts: LookParts, lost: LostWrite, signal: AbortSignal): Promise<Sight | undefined> {
	return lookRepeatedly(
		{
			// A look that failed says nothing: what an earlier one saw is then too old to stand on.
			look: (looking) => lookOnce(parts, lost, looking),
			isFound: (sight) => sight !== undefined && isNothing(sight.left),
		},
		parts.clock,
		signal,
	);
}

/** True for a wish of which nothing is left. */
export function isNothing({ comment, move, labels }: TicketWish): boolean {
	return isBlank(comment) && move === undefined && (labels === undefined || isNoLabelWish(labels));
}

async function lookOnce(parts: LookParts, lost: LostWrite, signal: AbortSignal): Promise<Sight | undefined> {
	try {
		// The timeline first: what it shows is then on the ticket too.
		const since = lost.newestBefore === undefined ? [] : await eventsSince(parts, lost.ref, lost.newestBefore, signal);
		const ticket = await parts.store.renewTicket(lost.ref, signal);
		const events = ownEvents(since, parts.me);
		return { ticket, events, left: leftOf(lost.wish, ticket, events) };
	} catch (error) {
		if (isAbort(error) || !isForgeError(error)) {
			throw error;
		}
		return undefined;
	}
}

/** Events newer than one that is known, newest first, over as many pages as it takes. They are taken over by the store. */
export async function eventsSince(
	{ api, store }: Pick<LookParts, 'api' | 'store'>,
	ref: TicketRef,
	newestBefore: number,
	signal: AbortSignal,
): Promise<readonly TicketEvent[]> {
	const found: TicketEvent[] = [];
	for await (const { items } of api.events(ref, signal)) {
		found.push(...items.filter(({ id }) => id > newestBefore));
		if (items.some(({ id }) => id <= newestBefore)) {
			break;
		}
	}
	store.apply({ kind: 'eventsAdded', ticket: ref, events: found });
	return found;
}

/** What an account did itself. */
export function ownEvents(events: readonly TicketEvent[], me: OwnerName): readonly TicketEvent[] {
	return events.filter((event) => isEventBy(event, me));
}

function leftOf({ comment, move, labels }: TicketWish, ticket: Ticket, events: readonly TicketEvent[]): TicketWish {
	const said = isBlank(comment) ? undefined : commentEvent(events, comment);
	// Comment and move of one request are one event, which proves the move even when somebody has moved it on since.
	const isThere = move !== undefined && (isMoved(move, ticket) || said?.newStatus === statusWanted(move));
	const open = labels && labelsLeft(labels, ticket);
	return {
		...(isBlank(comment) || said ? {} : { comment }),
		...(move && !isThere ? { move } : {}),
		...(open && !isNoLabelWish(open) ? { labels: open } : {}),
	};
}
