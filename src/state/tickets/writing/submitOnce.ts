import { isAbort } from '../../../base/abort.ts';
import type { Clock } from '../../../base/clock.ts';
import type { TrackerApi } from '../../../forge/forge.ts';
import { ForgeError, isForgeError } from '../../../forge/forgeError.ts';
import { mayBeDone } from '../../../forge/mayHaveArrived.ts';
import type { NewTicket, Ticket } from '../../../forge/ticket.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import type { OwnerName } from '../../../forge/user.ts';
import { isSameText } from '../../shared/isSameText.ts';
import type { TicketStore } from '../ticketStore.ts';
import { lookRepeatedly } from './lookRepeatedly.ts';

/** How far the forge's clock may be behind ours. */
const clockSlackMs = 10 * 60_000;

/** How sending a new ticket ended. A plain refusal is thrown as `ForgeError`. */
export type SubmitOutcome =
	| { readonly kind: 'submitted'; readonly ticket: Ticket }
	/** The answer was lost, and the ticket is there all the same. */
	| { readonly kind: 'arrived'; readonly ticket: Ticket }
	/** The answer was lost, and the tracker has no such ticket. It may be offered again, by a person. */
	| { readonly kind: 'missing'; readonly error: ForgeError }
	/** The answer was lost, and nobody could look. */
	| { readonly kind: 'unclear'; readonly lost: LostTicket };

/** What sending a new ticket needs. */
export interface SubmitParts {
	readonly api: Pick<TrackerApi, 'tickets'>;
	readonly store: Pick<TicketStore, 'knownTickets' | 'submit' | 'apply'>;
	/** `~name` of the account. */
	readonly me: OwnerName;
	readonly clock: Clock;
}

/** What is sent, and where. */
export interface Submission {
	readonly tracker: TrackerRef;
	readonly ticket: NewTicket;
	/** Goes on when the person gives up waiting: what was sent may have arrived. */
	readonly looking: AbortSignal;
}

/** Sends a ticket once. When its answer is lost it is looked for, by author, title, text and age. */
export async function submitOnce(
	parts: SubmitParts,
	submission: Submission,
	signal: AbortSignal,
): Promise<SubmitOutcome> {
	const { tracker, ticket } = submission;
	const sentMs = parts.clock.nowMs();
	const newestBefore = newestKnown(parts.store, tracker);
	try {
		return { kind: 'submitted', ticket: await parts.store.submit(tracker, ticket, signal) };
	} catch (error) {
		if (submission.looking.aborted || !mayBeDone(error, signal)) {
			throw error;
		}
		return findLostTicket(parts, submission, { sentMs, newestBefore, error: asForgeError(error) });
	}
}

function newestKnown(store: Pick<TicketStore, 'knownTickets'>, tracker: TrackerRef): number {
	const known = store.knownTickets(tracker)?.items ?? [];
	return known.reduce((newest, { id }) => Math.max(newest, id), 0);
}

function asForgeError(error: Error): ForgeError {
	return isForgeError(error)
		? error
		: new ForgeError({ kind: 'unreachable', reason: 'timeout', host: '' }, { cause: error });
}

/** A ticket whose answer never came, and when it was sent. */
export interface LostTicket {
	readonly sentMs: number;
	/** Number of the newest ticket that was known before, 0 for none; numbers are never used again. */
	readonly newestBefore: number;
	readonly error: ForgeError;
}

/** Looks whether a ticket arrived: at once, and a few times more when it is not there. Never sends anything. */
export async function findLostTicket(
	parts: SubmitParts,
	submission: Submission,
	lost: LostTicket,
): Promise<SubmitOutcome> {
	const seen = await lookRepeatedly(
		{ look: () => lookOnce(parts, submission, lost), isFound: ({ kind }) => kind === 'found' },
		parts.clock,
		submission.looking,
	);
	switch (seen.kind) {
		case 'found':
			parts.store.apply({ kind: 'ticketChanged', ticket: seen.ticket });
			return { kind: 'arrived', ticket: seen.ticket };
		case 'notThere':
			return { kind: 'missing', error: lost.error };
		case 'notSeen':
			return { kind: 'unclear', lost };
	}
}

type Found =
	| { readonly kind: 'found'; readonly ticket: Ticket }
	| { readonly kind: 'notThere' }
	| { readonly kind: 'notSeen' };

/**
 * Reads the newest tickets anew, until they are older than what was sent. Numbers tell that by themselves; without one that
 * was known before, clocks have to.
 */
async function lookOnce(
	{ api, me }: SubmitParts,
	{ tracker, ticket, looking }: Submission,
	{ sentMs, newestBefore }: LostTicket,
): Promise<Found> {
	const isLater = ({ id, createdMs }: Ticket): boolean =>
		newestBefore > 0 ? id > newestBefore : createdMs >= sentMs - clockSlackMs;
	const isSame = (each: Ticket): boolean =>
		isLater(each) &&
		each.submitter.kind === 'user' &&
		each.submitter.canonicalName === me &&
		each.title.trim() === ticket.title &&
		isSameText(each.description, ticket.description);
	try {
		for await (const { items } of api.tickets(tracker, looking)) {
			const found = items.find(isSame);
			if (found) {
				return { kind: 'found', ticket: found };
			}
			if (!items.every(isLater)) {
				break;
			}
		}
		return { kind: 'notThere' };
	} catch (error) {
		if (isAbort(error) || !isForgeError(error)) {
			throw error;
		}
		return { kind: 'notSeen' };
	}
}
