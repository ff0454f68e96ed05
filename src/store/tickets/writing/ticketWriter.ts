import { checkNul, unfit, ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import { isOfService } from 'sourcehut/port/isAway.ts';
import { mayHaveArrived } from 'sourcehut/port/mayHaveArrived.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { ticketRefText, type Ticket, type TicketRef } from 'sourcehut/port/ticket.ts';
import { ticketLimits } from 'sourcehut/port/ticketLimits.ts';
import {
	isBlank,
	type TicketRequest,
	isNothing,
	type ChangedTicket,
	type Deviation,
	type TextChange,
	type TicketBefore,
	type TicketOutcome,
} from 'sourcehut/port/ticketRequest.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { QueuedWrite } from '../../outbox/outbox.ts';
import { canWait, isAwayProblem, queueInDoubt, queueUnsent } from '../../outbox/queueing.ts';
import type { SendingSignals } from '../../shared/sentOnce.ts';
import { planWrites, type JournaledWrite } from '../../shared/writeJournal.ts';
import { factsOf } from '../../shared/writeRecord.ts';
import {
	ticketBefore,
	unlikeness,
	findLostWrite,
	lookForTickets,
	noteEnd,
	noteLook,
	noteRefused,
	openNewTickets,
	openWrites,
	type LeftWrite,
} from './journaledTickets.ts';
import { labelWriter, trackerWriter } from './trackerWriter.ts';
import { findLostTicket, sendTicket, submitOnce, type LostTicket, type Submission } from './submitOnce.ts';
import { ticketEdits, type CommentChange } from './ticketEdits.ts';
import { ticketSubscriptions } from './ticketSubscriptions.ts';
import type { TicketWriting } from './ticketWriting.ts';
import { partlyDone, type WriteOutcome } from './writeOutcome.ts';

/** Throws for a request that the server would reject, before sending it. */
function checkRequest({ comment, move }: TicketRequest): void {
	if (!isBlank(comment) && !isCommentLength(comment)) {
		throw unfit('comment', 'commentLength');
	}
	checkNul({ comment });
	if (move?.kind === 'resolve' && move.resolution === 'unresolved') {
		throw unfit('resolution', 'resolutionMissing');
	}
}

export function isCommentLength(comment: string): boolean {
	const { shortestComment, longestComment } = ticketLimits;
	// Servers count code points, not UTF-16 units.
	const { length } = Array.from(comment);
	return length >= shortestComment && length <= longestComment;
}

/**
 * Writes to tickets. Sends each write once, in order, and compares the response with the request. After a lost
 * response, checks whether the write took effect.
 */
export type TicketWrites = ReturnType<typeof ticketWriter>;

/** One write of a bulk action. */
export interface WantedWrite {
	readonly ref: TicketRef;
	readonly wish: TicketRequest;
}

/** The writes of one action so far. A single write is an action, too. */
interface Action {
	/** Settles after all of them. */
	ended: Promise<unknown>;
	/** The forge was away for one of them. Each further one would wait for the same timeout. */
	away: ForgeError | undefined;
}

/** A write in progress. */
interface Write {
	readonly ref: TicketRef;
	readonly wish: TicketRequest;
	readonly entry: JournaledWrite;
	/** The ticket before the write, if known. */
	readonly known: Ticket | undefined;
	/** True when the ticket had no unseen changes before. */
	readonly wasLookedAt: boolean;
}

/** One write at a time per ticket. Disposing aborts writes in progress. */
export function ticketWriter(parts: TicketWriting) {
	const { store, looks, journal, outbox, background } = parts;
	const ending = new AbortController();
	const turns = new Map<string, Promise<unknown>>();
	const triaged = new Set<string>();
	const labels = labelWriter(parts, ending.signal);
	const subscriptions = ticketSubscriptions(parts, ending.signal);
	const edits = ticketEdits(parts);
	lookForTickets(parts);

	/** `entry`: record of the write, by default a new one in the journal. */
	async function perform(
		{ ref, wish }: WantedWrite,
		signal: AbortSignal,
		entry: JournaledWrite = journal.begin({ kind: 'ticket', ref, wish }),
	): Promise<WriteOutcome> {
		signal.throwIfAborted();
		const known = store.knownTicket(ref);
		if (isNothing(wish)) {
			const ticket = known ?? (await store.renewTicket(ref, signal));
			return { kind: 'done', ticket, before: ticket, deviations: [] };
		}
		const wasLookedAt = known !== undefined && looks.mark(known) === undefined;
		const write = { ref, wish, entry, known, wasLookedAt };
		const outcome = await sent(parts, write, signal, ending.signal).catch(async (error: unknown) => {
			await noteRefused(write, error);
			throw error;
		});
		await noteEnd(write, outcome.ended);
		if (outcome.isAnswered && [wish.move, wish.labels, wish.assignees].some((part) => part !== undefined)) {
			triaged.add(refText(ref.tracker).toLowerCase());
		}
		return outcome.ended;
	}

	function inTurn<T>(ref: TicketRef, start: () => Promise<T>): Promise<T> {
		const key = ticketRefText(ref).toLowerCase();
		const turn = (turns.get(key) ?? Promise.resolve()).then(start);
		const settled = turn.then(
			() => undefined,
			() => undefined,
		);
		turns.set(key, settled);
		void settled.then(() => {
			if (turns.get(key) === settled) {
				turns.delete(key);
			}
		});
		return turn;
	}

	function signalsOf(signal: AbortSignal): SendingSignals {
		return { signal: AbortSignal.any([signal, ending.signal]), looking: ending.signal };
	}

	function edit(change: CommentChange, signal: AbortSignal): Promise<void> {
		return inTurn(change.ref, () => edits.comment(change, signalsOf(signal)));
	}

	function editTicket(ref: TicketRef, change: TextChange, signal: AbortSignal): Promise<void> {
		return inTurn(ref, () => edits.text(ref, change, signalsOf(signal)));
	}

	function removeTicket(ref: TicketRef, signal: AbortSignal): Promise<void> {
		return inTurn(ref, () => edits.remove(ref, signalsOf(signal)));
	}

	/**
	 * Sends a write, or queues it while the forge is away. A write never overtakes a queued one to its ticket. The writes
	 * of one action queue in their order. `from`: its planned entry in the journal.
	 */
	function write(
		wanted: WantedWrite,
		action: Action,
		from: string | undefined,
		signal: AbortSignal,
	): Promise<WriteOutcome> {
		const either = AbortSignal.any([signal, ending.signal]);
		const { ref, wish } = wanted;
		const earlier = action.ended;
		const outcome = inTurn(ref, async (): Promise<WriteOutcome> => {
			checkRequest(wish);
			const record = { kind: 'ticket', ref, wish } as const;
			const entry = journal.begin(record, from);
			let hasLeft = false;
			const leaving: JournaledWrite = {
				...entry,
				persist(before) {
					hasLeft = true;
					return entry.persist(before);
				},
			};
			const basis = store.knownTicket(ref);
			const queue = async (error: ForgeError | undefined): Promise<WriteOutcome> => {
				await earlier;
				either.throwIfAborted();
				await queueUnsent(parts, record, basis, entry, error);
				return { kind: 'queued', error };
			};
			const isBehind = outbox.of(ref).length > 0;
			const away = action.away ?? background.loop.limit('todo');
			if (!isNothing(wish) && (isBehind || away)) {
				return queue(isBehind ? undefined : away);
			}
			try {
				const sending = await perform(wanted, either, leaving);
				if (sending.kind !== 'unclear' || either.aborted || !isAwayProblem(sending.error)) {
					return sending;
				}
				action.away = sending.error;
				await earlier;
				await queueInDoubt(parts, record, basis, entry);
				return { kind: 'queued', error: sending.error };
			} catch (error) {
				if (either.aborted || !canWait(error, hasLeft)) {
					throw error;
				}
				background.loop.restIfLimited('todo', error);
				action.away = error;
				return queue(error);
			}
		});
		action.ended = Promise.allSettled([earlier, outcome]);
		return outcome;
	}

	return {
		write: (ref: TicketRef, wish: TicketRequest, signal: AbortSignal) =>
			write({ ref, wish }, newAction(), undefined, signal),
		/** Sends a queued write in its turn. `entry`: its record in the outbox. */
		sendQueued(queuedWrite: QueuedWrite, entry: JournaledWrite, signal: AbortSignal) {
			const either = AbortSignal.any([signal, ending.signal]);
			if (queuedWrite.kind === 'newTicket') {
				return sendTicket(parts, { ...queuedWrite, looking: ending.signal }, entry, either);
			}
			return inTurn(queuedWrite.ref, () => perform(queuedWrite, either, entry));
		},
		/** Journals a bulk action before its first request. */
		plan(wanted: readonly WantedWrite[]) {
			const action = newAction();
			const records = wanted.map((each) => ({ kind: 'ticket', ...each }) as const);
			return planWrites(journal, records, (each, from, signal) => write(each, action, from, signal));
		},
		/** The newest unresolved comment or status change of a ticket. */
		lost: (ref: TicketRef) => openWrites(journal, ref).at(-1),
		/** The newest unresolved submission of a draft, by its name. */
		lostTicket: (draft: string) => openNewTickets(journal, draft).at(-1),
		/**
		 * Sends an edited comment once, in order among writes to its ticket; `undefined` when unsupported. The comment gets
		 * a new id (docs/protocol.md#comment-edits).
		 */
		get editComment(): typeof edit | undefined {
			return parts.api.editComment && edit;
		},
		/** Sends an edited title or description once, in order; `undefined` when only the website can edit tickets. */
		get editTicket(): typeof editTicket | undefined {
			return parts.api.edit && editTicket;
		},
		/** Deletes a ticket permanently, in order; `undefined` when only the website can do it. */
		get removeTicket(): typeof removeTicket | undefined {
			return parts.api.removeTicket && removeTicket;
		},
		/** Checks a lost write again; `undefined` when the check failed. */
		async lookAgain(lost: LeftWrite, signal: AbortSignal) {
			const found = await findLostWrite(parts, lost, signal);
			await (found && noteLook(lost, found.left));
			return found;
		},
		/** Sends a new ticket once. After a lost response, searches for it by author, title, text and age. */
		submit: (submission: Submission, signal: AbortSignal) => submitOnce(parts, submission, signal),
		/** Searches for a lost new ticket again. Never sends anything. */
		findLostTicket: (submission: Submission, lost: LostTicket) => findLostTicket(parts, submission, lost),
		trackers: trackerWriter(parts, ending.signal),
		/** Mail subscriptions; `undefined` when only the website has them. */
		get subscriptions(): typeof subscriptions | undefined {
			return parts.api.subscriptions && subscriptions;
		},
		/** Label changes of own trackers; `undefined` when only the website can make them. */
		get labels(): typeof labels | undefined {
			return parts.api.labelMaking && labels;
		},
		limits: () => parts.api.statusLimits(),
		/** False when only the website can assign people. */
		canAssign: () => parts.api.assign !== undefined,
		/**
		 * True after a triage action of this account succeeded there: servers don't report permissions of a single account.
		 */
		hasTriaged: (tracker: TrackerRef) => triaged.has(refText(tracker).toLowerCase()),
		dispose: () => ending.abort(),
	};
}

function newAction(): Action {
	return { ended: Promise.resolve(), away: undefined };
}

/** Sends a write and follows up. The follow-up continues after `signal` aborts, until `ending`. */
async function sent(
	parts: TicketWriting,
	write: Write,
	signal: AbortSignal,
	ending: AbortSignal,
): Promise<{ readonly ended: WriteOutcome; readonly isAnswered: boolean }> {
	const { ref, wish } = write;
	const leaving = ({ ticket = write.known, newestEventId }: TicketBefore): Promise<void> =>
		write.entry.persist({ newestEventId, facts: ticket && factsOf(ticket) });
	const outcome = await refusalsReread(parts, ref, parts.store.update(ref, { ...wish, leaving }, signal), ending);
	switch (outcome.kind) {
		case 'needless': {
			const { ticket } = outcome;
			const ended = { kind: 'done', ticket, before: ticket, deviations: [], isNeedless: true } as const;
			return { ended, isAnswered: false };
		}
		case 'partly':
			await rereadEvents(parts, ref, ending);
			throw partlyDone(outcome.error, { done: outcome.done, before: outcome.before.ticket, now: outcome.now });
		case 'refused': {
			// An aborted sender also aborted its check. If the forge doesn't answer, one check is enough.
			const isUnseen = outcome.now === undefined && signal.aborted;
			const look = isUnseen ? parts.store.renewTicket(ref, ending) : undefined;
			await Promise.allSettled([look, rereadEvents(parts, ref, ending)]);
			throw outcome.error;
		}
		case 'answered':
			return { ended: await unclearWhenOver(answered(parts, write, outcome, ending), ending), isAnswered: true };
		case 'lost':
			return { ended: await unclearWhenOver(afterLook(parts, write, outcome, ending), ending), isAnswered: false };
	}
}

/** Reads the ticket again after a refusal, if nobody did yet and the forge accepts requests. */
async function refusalsReread(
	parts: TicketWriting,
	ref: TicketRef,
	sending: Promise<TicketOutcome>,
	signal: AbortSignal,
): Promise<TicketOutcome> {
	try {
		return await sending;
	} catch (error) {
		if (isForgeError(error) && !mayHaveArrived(error) && !isOfService(error)) {
			await Promise.allSettled([parts.store.renewTicket(ref, signal), rereadEvents(parts, ref, signal)]);
		}
		throw error;
	}
}

/** Refreshes the timeline only if it was loaded. */
async function rereadEvents({ store }: TicketWriting, ref: TicketRef, signal: AbortSignal): Promise<void> {
	await Promise.allSettled(store.knownEvents(ref) ? [store.renewEvents(ref, signal)] : []);
}

type Outcome<Kind extends TicketOutcome['kind']> = Extract<TicketOutcome, { readonly kind: Kind }>;

/** Compares the response with the request, and repairs concurrent changes that the write overwrote. */
async function answered(
	parts: TicketWriting,
	write: Write,
	outcome: Outcome<'answered'>,
	signal: AbortSignal,
): Promise<WriteOutcome> {
	const { before } = outcome;
	const inAnswer = unlikeness(write.wish, outcome);
	const earlier = ticketBefore(before.ticket ?? write.known, outcome);
	const { ticket, deviations } = await restored(parts, write, before, outcome, signal);
	lookAt(parts, write, ticket);
	return { kind: 'done', ticket, before: earlier, deviations: [...inAnswer, ...deviations] };
}

async function restored(
	{ api, store }: TicketWriting,
	{ ref, wish }: Write,
	before: TicketBefore,
	seen: ChangedTicket,
	signal: AbortSignal,
): Promise<{ readonly ticket: Ticket; readonly deviations: readonly Deviation[] }> {
	if (!wish.labels || !api.restoreLabels) {
		return { ticket: seen.ticket, deviations: [] };
	}
	const { ticket, events, deviations } = await api.restoreLabels(ref, { labels: wish.labels, before }, seen, signal);
	if (ticket !== seen.ticket) {
		store.apply({ kind: 'ticketChanged', ticket, events });
	}
	return { ticket, deviations };
}

/** On sign-out the write may have taken effect, so don't report it as untried. */
async function unclearWhenOver(work: Promise<WriteOutcome>, signal: AbortSignal): Promise<WriteOutcome> {
	try {
		return await work;
	} catch (error) {
		if (!signal.aborted) {
			throw error;
		}
		return { kind: 'unclear', error: notAwaited(error) };
	}
}

/** Never sends twice: checks whether the write took effect. */
async function afterLook(
	parts: TicketWriting,
	write: Write,
	{ before, error }: Outcome<'lost'>,
	signal: AbortSignal,
): Promise<WriteOutcome> {
	const { ref, wish, known } = write;
	const newestBefore = before.newestEventId;
	const found = await findLostWrite(parts, { ref, wish, newestBefore }, signal);
	if (!found) {
		return { kind: 'unclear', error: isForgeError(error) ? error : notAwaited(error) };
	}
	const { events, left } = found;
	const { ticket, deviations } = await restored(parts, write, before, found, signal);
	if (isNothing(left)) {
		lookAt(parts, write, ticket);
		const earlier = ticketBefore(before.ticket ?? known, { ticket, events });
		return { kind: 'arrived', ticket, before: earlier, deviations };
	}
	if (!isForgeError(error)) {
		// The user aborted, and the write had no effect.
		throw error;
	}
	return { kind: 'missing', ticket, left, error };
}

function notAwaited(cause: unknown): ForgeError {
	return new ForgeError({ kind: 'notUnderstood', where: 'the answer', why: 'nobody waited for it' }, { cause });
}

/**
 * An own write must not mark the ticket as changed, nor hide earlier changes by others. The seen position of the
 * timeline stays: others' events during the write have lower numbers, and own events are no news.
 */
function lookAt({ looks }: TicketWriting, { wasLookedAt }: Write, ticket: Ticket): void {
	if (wasLookedAt) {
		looks.look(ticket, undefined);
	}
}
