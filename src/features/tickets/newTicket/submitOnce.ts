import { isAbort } from '../../../base/abort.ts';
import type { Clock } from '../../../base/clock.ts';
import { ForgeError, isForgeError } from '../../../forge/forgeError.ts';
import type { NewTicket, Ticket } from '../../../forge/ticket.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import type { Connection } from '../../../state/connection.ts';
import { lookRepeatedly } from '../../../state/tickets/writing/lookRepeatedly.ts';
import { mayHaveArrived, wasNeverSent } from '../../../state/tickets/writing/writeFailures.ts';

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

/** What is sent, and where. */
export interface Submission {
	readonly connection: Pick<Connection, 'tickets' | 'me' | 'forge'>;
	readonly tracker: TrackerRef;
	readonly ticket: NewTicket;
	readonly clock: Clock;
	/** Goes on when the person gives up waiting: what was sent may have arrived. */
	readonly looking: AbortSignal;
}

/** Sends a ticket once. When its answer is lost it is looked for, by author, title, text and age. */
export async function submitOnce(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome> {
	const { connection, tracker, ticket, clock } = submission;
	const sentMs = clock.nowMs();
	const newestBefore = newestKnown(submission);
	try {
		return { kind: 'submitted', ticket: await connection.tickets.submit(tracker, ticket, signal) };
	} catch (error) {
		const lost = submission.looking.aborted ? undefined : lostBy(error, signal);
		if (!lost) {
			throw error;
		}
		return lookForTicket(submission, { sentMs, newestBefore, error: lost });
	}
}

function newestKnown({ connection, tracker }: Submission): number {
	const known = connection.tickets.knownTickets(tracker)?.items ?? [];
	return known.reduce((newest, { id }) => Math.max(newest, id), 0);
}

/** `undefined` for a failure after which the ticket is certainly not there. */
function lostBy(error: unknown, signal: AbortSignal): ForgeError | undefined {
	if (!(error instanceof Error) || wasNeverSent(error, signal)) {
		return undefined;
	}
	if (isForgeError(error)) {
		return mayHaveArrived(error) ? error : undefined;
	}
	return new ForgeError({ kind: 'unreachable', reason: 'timeout', host: '' }, { cause: error });
}

/** A ticket whose answer never came, and when it was sent. */
export interface LostTicket {
	readonly sentMs: number;
	/** Number of the newest ticket that was known before; numbers are never used again. */
	readonly newestBefore: number;
	readonly error: ForgeError;
}

/** Looks whether a ticket arrived: at once, and a few times more when it is not there. Never sends anything. */
export async function lookForTicket(submission: Submission, lost: LostTicket): Promise<SubmitOutcome> {
	const seen = await lookRepeatedly(
		{ look: () => lookOnce(submission, lost), isFound: ({ kind }) => kind === 'found' },
		submission.clock,
		submission.looking,
	);
	switch (seen.kind) {
		case 'found':
			submission.connection.tickets.apply({ kind: 'ticketChanged', ticket: seen.ticket });
			return { kind: 'arrived', ticket: seen.ticket };
		case 'notThere':
			return { kind: 'missing', error: lost.error };
		case 'notSeen':
			return { kind: 'unclear', lost };
	}
}

type Sight =
	| { readonly kind: 'found'; readonly ticket: Ticket }
	| { readonly kind: 'notThere' }
	| { readonly kind: 'notSeen' };

/** Reads the newest tickets anew, until they are older than what was sent. */
async function lookOnce(
	{ connection, tracker, ticket, looking }: Submission,
	{ sentMs, newestBefore }: LostTicket,
): Promise<Sight> {
	const isSame = (each: Ticket): boolean =>
		each.id > newestBefore &&
		each.createdMs >= sentMs - clockSlackMs &&
		each.submitter.kind === 'user' &&
		each.submitter.canonicalName === connection.me &&
		each.title.trim() === ticket.title &&
		sameText(each.description, ticket.description);
	try {
		for await (const { items } of connection.forge.trackers.tickets(tracker, looking)) {
			const found = items.find(isSame);
			if (found) {
				return { kind: 'found', ticket: found };
			}
			if (items.some(({ createdMs }) => createdMs < sentMs - clockSlackMs)) {
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

/** Servers may change the ends of lines. */
function sameText(a: string, b: string): boolean {
	return a.replaceAll('\r\n', '\n').trim() === b.trim();
}
