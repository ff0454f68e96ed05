import { isAbort } from '../../../base/abort.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { TrackerApi } from '../../../forge/forge.ts';
import { ForgeError, isForgeError } from '../../../forge/forgeError.ts';
import {
	ticketRefText,
	type Ticket,
	type TicketEvent,
	type TicketRef,
	type TicketUpdate,
} from '../../../forge/ticket.ts';
import { trackerRefText, type TrackerRef } from '../../../forge/tracker.ts';
import type { OwnerName } from '../../../forge/user.ts';
import { tellsOfLabels, ticketBefore, undoneOfOthers, unlikeness } from './compareAnswer.ts';
import type { KeptLimits } from './keptLimits.ts';
import { giveBackLabels } from './giveBackLabels.ts';
import { editOnce, type CommentChange } from './editOnce.ts';
import { eventsSince, isNothing, lookForWrite, ownEvents, type LostWrite, type Sight } from './lookForWrite.ts';
import type { LookMarks } from '../../readMarks/keptLooks.ts';
import { refusal } from './refusedWithLabels.ts';
import type { TicketStore } from '../ticketStore.ts';
import type { LabelWish, TicketWish, Unlike, WriteOutcome, LearntLimits } from './ticketWish.ts';
import {
	lookForTicket,
	submitOnce,
	type LostTicket,
	type Submission,
	type SubmitOutcome,
	type SubmitParts,
} from './submitOnce.ts';
import { trackerWriter, type TrackerWriterParts, type TrackerWrites } from './trackerWriter.ts';
import { checkWish, isBlank, wishedChanges } from './wishedChanges.ts';
import { mayHaveArrived } from '../../shared/sentOnce.ts';
import { learntFrom, wasNeverSent } from './writeFailures.ts';

/**
 * The one way in which tickets are changed. Reads before it writes labels, sends every write once, compares the answer
 * with the wish, and looks whether a write arrived whose answer was lost.
 */
export interface TicketWrites {
	write(ref: TicketRef, wish: TicketWish, signal: AbortSignal): Promise<WriteOutcome>;
	limits(tracker: TrackerRef): LearntLimits;
	/** True once a move or labels of this account have arrived there: servers do not tell what a single account was granted. */
	hasTriaged(tracker: TrackerRef): boolean;
	/** Looks once more for a write of which nobody knows whether it arrived; `undefined` when nobody could look. */
	lookAgain(lost: LostWrite, signal: AbortSignal): Promise<Sight | undefined>;
	/**
	 * Sends a changed comment once, in its turn among the writes of its ticket; `undefined` where the forge has no way to do
	 * it. It comes back with a new id (docs/protocol.md#comment-edits).
	 */
	readonly editComment: ((change: CommentChange, signal: AbortSignal) => Promise<void>) | undefined;
	/** Sends a new ticket once. When its answer is lost it is looked for, by author, title, text and age. */
	submit(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome>;
	/** Looks once more for a new ticket of which nobody knows whether it arrived. Never sends anything. */
	lookForTicket(submission: Submission, lost: LostTicket): Promise<SubmitOutcome>;
	/** Trackers themselves. */
	readonly trackers: TrackerWrites;
}

/** What writing needs. */
export interface TicketWriterParts {
	readonly api: Pick<TrackerApi, 'events' | 'editComment'> & SubmitParts['api'] & TrackerWriterParts['api'];
	readonly store: Pick<
		TicketStore,
		'renewTicket' | 'renewEvents' | 'knownEvents' | 'knownTicket' | 'update' | 'apply'
	> &
		SubmitParts['store'] &
		TrackerWriterParts['store'];
	readonly looks: Pick<LookMarks, 'mark' | 'look' | 'lastSeenEventId'>;
	readonly limits: KeptLimits;
	/** `~name` of the account. */
	readonly me: OwnerName;
	readonly clock: Clock;
}

/** What was read right before a write. */
interface Before {
	/** Fresh where labels are written, else as it was known. */
	readonly ticket: Ticket | undefined;
	/** Newest event that was there; `undefined` where the write needs no events to be recognised. */
	readonly newestEventId: number | undefined;
	/** True when nobody had changed it since the account looked at it. */
	readonly wasLookedAt: boolean;
}

/** A write on its way. */
interface Write {
	readonly ref: TicketRef;
	readonly wish: TicketWish;
	readonly before: Before;
	/** The caller's wish to have it done; what was sent is looked after without it. */
	readonly signal: AbortSignal;
}

/** Writes to tickets as `TicketWrites` says, one at a time for each ticket. Disposing gives up what is under way. */
export function ticketWriter(parts: TicketWriterParts): TicketWrites & Disposable {
	const { store, limits } = parts;
	const ending = new AbortController();
	const turns = new Map<string, Promise<unknown>>();
	const triaged = new Set<string>();

	async function perform(ref: TicketRef, wish: TicketWish, signal: AbortSignal): Promise<WriteOutcome> {
		signal.throwIfAborted();
		const before = await readBefore(parts, ref, wish, signal);
		const changes = wishedChanges(wish, before.ticket);
		if (Object.keys(changes).length === 0) {
			const ticket = before.ticket ?? (await store.renewTicket(ref, signal));
			return { kind: 'done', ticket, before: ticket, unlike: [] };
		}
		const write: Write = { ref, wish, before, signal };
		try {
			const update = await store.update(ref, changes, signal);
			const outcome = await answered(parts, write, update, ending.signal);
			if (wish.move !== undefined || wish.labels !== undefined) {
				triaged.add(trackerRefText(ref.tracker).toLowerCase());
			}
			return outcome;
		} catch (error) {
			return await failed(parts, write, error, ending.signal);
		}
	}

	/** One at a time for each ticket. */
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

	function edit(change: CommentChange, signal: AbortSignal): Promise<void> {
		const wanted = AbortSignal.any([signal, ending.signal]);
		return inTurn(change.ref, () => editOnce(parts, change, wanted));
	}

	return {
		write(ref, wish, signal) {
			const wanted = AbortSignal.any([signal, ending.signal]);
			return inTurn(ref, () => {
				checkWish(wish);
				return perform(ref, wish, wanted);
			});
		},
		get editComment() {
			return parts.api.editComment && edit;
		},
		lookAgain: (lost, signal) => lookForWrite(parts, lost, signal),
		submit: (submission, signal) => submitOnce(parts, submission, signal),
		lookForTicket: (submission, lost) => lookForTicket(parts, submission, lost),
		trackers: trackerWriter(parts),
		limits: () => limits.now(),
		hasTriaged: (tracker) => triaged.has(trackerRefText(tracker).toLowerCase()),
		dispose: () => ending.abort(),
	};
}

/**
 * What has to be known before something is sent: the labels that the whole set is made of, and how far the timeline
 * reached, so that a comment is told from an older one with the same words.
 */
async function readBefore(
	{ api, store, looks }: TicketWriterParts,
	ref: TicketRef,
	wish: TicketWish,
	signal: AbortSignal,
): Promise<Before> {
	const known = store.knownTicket(ref);
	const wasLookedAt = known !== undefined && looks.mark(known) === undefined;
	if (isBlank(wish.comment) && wish.labels === undefined) {
		return { ticket: known, newestEventId: undefined, wasLookedAt };
	}
	const [newestEventId, ticket] = await Promise.all([
		newestEvent(api, ref, signal),
		wish.labels ? store.renewTicket(ref, signal) : Promise.resolve(known),
	]);
	return { ticket, newestEventId, wasLookedAt };
}

async function newestEvent(api: Pick<TrackerApi, 'events'>, ref: TicketRef, signal: AbortSignal): Promise<number> {
	for await (const { items } of api.events(ref, signal)) {
		return newestOf(items) ?? 0;
	}
	return 0;
}

function newestOf(events: readonly TicketEvent[]): number | undefined {
	return events.length === 0 ? undefined : Math.max(...events.map(({ id }) => id));
}

/** The server has answered: compare, and give others back what sending the whole set of labels took from them. */
async function answered(
	parts: TicketWriterParts,
	write: Write,
	update: TicketUpdate,
	signal: AbortSignal,
): Promise<WriteOutcome> {
	const { wish, before } = write;
	const whole = { ...update, events: await eventsOfWrite(parts, write, update, signal) };
	const unlike = unlikeness(wish, whole);
	learn(parts, wish, whole);
	const { ticket, lost } = await mended(parts, write, whole, signal);
	lookAt(parts, write, { ticket, events: whole.events });
	return { kind: 'done', ticket, before: ticketBefore(before.ticket, whole), unlike: [...unlike, ...lost] };
}

/** The events of the answer, or those of the timeline where the answer tells too little. */
async function eventsOfWrite(
	parts: TicketWriterParts,
	{ ref, wish, before }: Write,
	{ ticket, events }: TicketUpdate,
	signal: AbortSignal,
): Promise<readonly TicketEvent[]> {
	const lacksComment = !isBlank(wish.comment) && !events.some(({ comment }) => comment !== undefined);
	const lacksLabels = wish.labels !== undefined && !sameNames(before.ticket, ticket) && !tellsOfLabels(events);
	if (before.newestEventId === undefined || !(lacksComment || lacksLabels)) {
		return events;
	}
	try {
		return ownEvents(await eventsSince(parts, ref, before.newestEventId, signal), parts.me);
	} catch (error) {
		if (isAbort(error) || !isForgeError(error)) {
			throw error;
		}
		return events;
	}
}

function sameNames(before: Ticket | undefined, { labels }: Ticket): boolean {
	return before?.labels.toSorted().join('\n') === labels.toSorted().join('\n');
}

async function mended(
	parts: TicketWriterParts,
	{ ref, wish, before }: Write,
	{ ticket, events }: TicketUpdate,
	signal: AbortSignal,
): Promise<{ readonly ticket: Ticket; readonly lost: readonly Unlike[] }> {
	if (!wish.labels) {
		return { ticket, lost: [] };
	}
	const damage = damageOf(undoneOfOthers(wish.labels, events), before.ticket);
	const given = await giveBackLabels(parts.store, { ref, damage, ticket }, signal);
	return {
		ticket: given.ticket,
		lost: [
			...given.missing.map((name) => ({ kind: 'labelMissing' as const, name })),
			...given.setAgain.map((name) => ({ kind: 'labelLeft' as const, name })),
		],
	};
}

/**
 * Events that were read from the timeline may tell of what the account did elsewhere. The write itself can only have
 * taken away what nobody knew of, and set again what was known.
 */
function damageOf(damage: LabelWish, before: Ticket | undefined): LabelWish {
	const wasThere = (name: string): boolean => before?.labels.includes(name) === true;
	return { add: damage.add.filter((name) => !wasThere(name)), remove: damage.remove.filter(wasThere) };
}

/** Nothing is ever sent a second time: what may have arrived is looked for, what was refused is read again. */
async function failed(
	parts: TicketWriterParts,
	write: Write,
	error: unknown,
	signal: AbortSignal,
): Promise<WriteOutcome> {
	if (!(error instanceof Error) || wasNeverSent(error, write.signal)) {
		throw error;
	}
	if (isForgeError(error) && !mayHaveArrived(error)) {
		throw await refused(parts, write, error, signal);
	}
	try {
		return await afterLook(parts, write, error, signal);
	} catch (failure) {
		if (!signal.aborted) {
			throw failure;
		}
		// The account went. What was sent may be there, so nobody may take it for never tried.
		return { kind: 'unclear', error: notAwaited(error), newestBefore: write.before.newestEventId };
	}
}

/** A refused request may have changed labels all the same (docs/protocol.md#label-updates). */
async function refused(
	{ store, limits }: TicketWriterParts,
	{ ref, wish, before }: Write,
	error: ForgeError,
	signal: AbortSignal,
): Promise<ForgeError> {
	if (learntFrom(wish, error)) {
		limits.learn({ onlyResolvesAndReopens: true });
	}
	const [read] = await Promise.allSettled([
		store.renewTicket(ref, signal),
		...(store.knownEvents(ref) ? [store.renewEvents(ref, signal)] : []),
	]);
	const now = read.status === 'fulfilled' ? read.value : undefined;
	return refusal(error, wish.labels, { before: before.ticket, now });
}

async function afterLook(
	parts: TicketWriterParts,
	write: Write,
	error: Error,
	signal: AbortSignal,
): Promise<WriteOutcome> {
	const { ref, wish, before } = write;
	const newestBefore = before.newestEventId;
	const sight = await lookForWrite(parts, { ref, wish, newestBefore }, signal);
	if (!sight) {
		return { kind: 'unclear', error: isForgeError(error) ? error : notAwaited(error), newestBefore };
	}
	const { events, left } = sight;
	const { ticket, lost } = await mended(parts, write, sight, signal);
	if (isNothing(left)) {
		lookAt(parts, write, { ticket, events });
		return { kind: 'arrived', ticket, before: ticketBefore(before.ticket, { ticket, events }), unlike: lost };
	}
	if (!isForgeError(error)) {
		// Given up by a person, and not there.
		throw error;
	}
	return { kind: 'missing', ticket, left, error };
}

function notAwaited(cause: Error): ForgeError {
	return new ForgeError({ kind: 'notUnderstood', where: 'the answer', why: 'nobody waited for it' }, { cause });
}

/** A server that took one status for another knows only two moves; one that set it as asked knows more. */
function learn({ limits }: TicketWriterParts, { move }: TicketWish, { ticket, events }: TicketUpdate): void {
	if (move?.kind !== 'set') {
		return;
	}
	if (ticket.status !== move.status) {
		limits.learn({ onlyResolvesAndReopens: true });
	} else if (events.some(({ newStatus }) => newStatus === move.status)) {
		limits.learn({ onlyResolvesAndReopens: false });
	}
}

/** One's own write marks nothing as changed, and hides nothing that others did before it. */
function lookAt({ looks }: TicketWriterParts, { ref, before }: Write, { ticket, events }: TicketUpdate): void {
	if (!before.wasLookedAt) {
		return;
	}
	const seen = looks.lastSeenEventId(ref);
	const hasSeenAll = seen !== undefined && before.newestEventId !== undefined && before.newestEventId <= seen;
	looks.look(ticket, hasSeenAll ? newestOf(events) : undefined);
}
