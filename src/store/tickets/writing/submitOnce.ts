import type { TicketWriting } from './ticketWriting.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import { allPages } from 'sourcehut/port/allPages.ts';
import { mayBeDone } from 'sourcehut/port/mayHaveArrived.ts';
import type { NewTicket, Ticket } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import { isSameText } from '../../shared/isSameText.ts';
import type { JournaledWrite, WriteJournal } from '../../shared/writeJournal.ts';
import type { JournalEntry, WriteOf } from '../../shared/writeRecord.ts';
import { canWait, isAwayProblem, queueInDoubt, queueUnsent } from '../../outbox/queueing.ts';
import { lookRepeatedly } from '../../shared/lookRepeatedly.ts';

/** Assumed maximum lag of the forge's clock. */
const clockSlackMs = 10 * 60_000;

/** Result of a submission. Plain refusals reject with `ForgeError`. */
export type SubmitOutcome =
	| { readonly kind: 'submitted'; readonly ticket: Ticket }
	/** The response was lost, but the ticket exists. */
	| { readonly kind: 'arrived'; readonly ticket: Ticket }
	/** The response was lost, and the ticket doesn't exist. The user may send it again. */
	| { readonly kind: 'missing'; readonly error: ForgeError }
	/** The response was lost, and the check failed. */
	| { readonly kind: 'unclear'; readonly lost: LostTicket }
	/** The outbox has it until the forge can be reached. */
	| { readonly kind: 'queued'; readonly error: ForgeError };

export interface Submission {
	readonly tracker: TrackerRef;
	readonly ticket: NewTicket;
	/** Draft document of the ticket. */
	readonly draft?: { readonly name: string; readonly text: string };
	/** Signal for checks; survives an abort by the user, because the ticket may exist. */
	readonly looking: AbortSignal;
}

/** Sends a ticket once, or queues it while the forge is away. */
export async function submitOnce(
	parts: TicketWriting,
	submission: Submission,
	signal: AbortSignal,
): Promise<SubmitOutcome> {
	const { tracker, ticket, draft } = submission;
	const known = parts.store.reads(tracker).known()?.items ?? [];
	const newestBefore = known.reduce((newest, { id }) => Math.max(newest, id), 0);
	const write = { kind: 'newTicket', tracker, ticket, newestBefore, ...(draft ? { draft } : {}) } as const;
	const entry = parts.journal.begin(write);
	signal.throwIfAborted();
	const { loop } = parts.background;
	try {
		const limit = loop.limit('todo');
		if (limit) {
			throw limit;
		}
		const outcome = await sendTicket(parts, { ...submission, newestBefore }, entry, signal);
		if (outcome.kind !== 'unclear' || !isAwayProblem(outcome.lost.error)) {
			return outcome;
		}
		await queueInDoubt(parts, write, undefined, entry);
		return { kind: 'queued', error: outcome.lost.error };
	} catch (error) {
		if (signal.aborted || !canWait(error, true)) {
			throw error;
		}
		loop.restIfLimited('todo', error);
		await queueUnsent(parts, write, undefined, entry, error);
		return { kind: 'queued', error };
	}
}

/** Sends a ticket once. After a lost response, searches for it by author, title, text and age. */
export async function sendTicket(
	parts: TicketWriting,
	submission: Submission & { readonly newestBefore: number },
	entry: JournaledWrite,
	signal: AbortSignal,
): Promise<SubmitOutcome> {
	const { tracker, ticket, newestBefore } = submission;
	const sentMs = parts.clock.nowMs();
	await entry.persist();
	if (signal.aborted) {
		await entry.failed();
		signal.throwIfAborted();
	}
	try {
		const submitted = await parts.store.submit(tracker, ticket, signal);
		await entry.arrived();
		return { kind: 'submitted', ticket: submitted };
	} catch (error) {
		if (!mayBeDone(error, signal)) {
			await entry.failed();
			throw error;
		}
		if (submission.looking.aborted) {
			// The next window checks it.
			throw error;
		}
		return findLostTicket(parts, submission, { sentMs, newestBefore, error: asForgeError(error), entry });
	}
}

function asForgeError(error: unknown): ForgeError {
	return isForgeError(error)
		? error
		: new ForgeError({ kind: 'unreachable', reason: 'timeout', host: '' }, { cause: error });
}

interface SentTicket {
	readonly sentMs: number;
	/** Highest ticket number known before, 0 for none. Servers never reuse numbers. */
	readonly newestBefore: number;
}

/** A submission without a response. */
export interface LostTicket extends SentTicket {
	readonly error: ForgeError;
	readonly entry: JournaledWrite;
}

/** A submission in doubt, from its journal entry. */
export function lostTicket(
	journal: WriteJournal,
	{ newestBefore }: WriteOf<'newTicket'>,
	entry: JournalEntry,
): LostTicket {
	return { sentMs: entry.sentMs, newestBefore, error: asForgeError(undefined), entry: journal.handle(entry) };
}

/** Looks up a submission and updates its journal entry. Sends nothing. */
export async function findLostTicket(
	parts: TicketWriting,
	submission: Submission,
	lost: LostTicket,
): Promise<SubmitOutcome> {
	const seen = await lookForTicket(parts, submission, lost);
	switch (seen.kind) {
		case 'found':
			await lost.entry.arrived();
			return { kind: 'arrived', ticket: seen.ticket };
		case 'notThere':
			await lost.entry.failed();
			return { kind: 'missing', error: lost.error };
		case 'notSeen':
			await lost.entry.inDoubt();
			return { kind: 'unclear', lost };
	}
}

/** Searches immediately, and up to two more times while the ticket is missing. */
export async function lookForTicket(parts: TicketWriting, submission: Submission, sent: SentTicket): Promise<Found> {
	const seen = await lookRepeatedly(
		() => lookOnce(parts, submission, sent),
		({ kind }) => kind === 'found',
		parts.clock,
		submission.looking,
	);
	if (seen.kind === 'found') {
		parts.store.apply({ kind: 'ticketChanged', ticket: seen.ticket });
	}
	return seen;
}

type Found =
	| { readonly kind: 'found'; readonly ticket: Ticket }
	| { readonly kind: 'notThere' }
	| { readonly kind: 'notSeen' };

/** Reads the newest tickets back to the submission. Uses numbers to stop; without a known number, timestamps. */
async function lookOnce(
	{ api, me }: TicketWriting,
	{ tracker, ticket, looking }: Submission,
	{ sentMs, newestBefore }: SentTicket,
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
		for await (const { items } of allPages(api.tickets(tracker, looking))) {
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
		return { kind: error.problem.kind === 'notFound' ? 'notThere' : 'notSeen' };
	}
}
